import { Download } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { at } from "../client";
import { language, t } from "../i18n";
import { CopyLink } from "../match/waiting";
import { download } from "../parts/download";
import { Icon } from "../parts/icon";
import { titleOf } from "./drafts";
import type { OpenDraft } from "./open-draft";
import { toFragment } from "./share";
import { Problems, Start } from "./text-pane";

/** The game as a link and as a file, and what it was before. */
export function SharePane({ draft, toText }: { draft: OpenDraft; toText: (line: number) => void }) {
  const text = draft.text.value;
  const [link, setLink] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    toFragment(text).then((fragment) => gone || setLink(fragment && `${location.origin}${at("/studio")}#${fragment}`));
    return () => {
      gone = true;
    };
  }, [text]);
  const date = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" });
  const { earlier } = draft.stored.value;
  return (
    <div class="studio-columns">
      <div>
        <Start draft={draft} />
        <Problems draft={draft} show={toText} />
      </div>
      <div class="studio-panel">
        <h2>{t("studio.share.link")}</h2>
        <p class="help">{t("studio.share.link.help")}</p>
        {link ? (
          <CopyLink key={link} link={link} label={t("studio.share.link")} />
        ) : (
          <p class="fault">{t("studio.share.large")}</p>
        )}
        <h2>{t("studio.share.file")}</h2>
        <p class="help">{t("studio.share.file.help")}</p>
        <button type="button" onClick={() => saveFile(text)}>
          <Icon of={Download} size={18} /> {t("studio.share.file.save")}
        </button>
        {earlier.length > 0 && (
          <>
            <h2>{t("studio.earlier")}</h2>
            <p class="help">{t("studio.earlier.help")}</p>
            <ul class="plain">
              {earlier.map((version) => (
                <li key={version.changed} class="saved">
                  <span>{date.format(version.changed)}</span>
                  <button type="button" class="quiet" onClick={() => draft.write(version.text)}>
                    {t("studio.earlier.back")}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}

/** Lets the browser save a definition as a file. */
export function saveFile(text: string): void {
  const name =
    titleOf(text)
      .id.replace(/[^a-z0-9-]/g, "")
      .slice(0, 60) || "game";
  download(new Blob([text], { type: "text/plain" }), `${name}.toml`);
}
