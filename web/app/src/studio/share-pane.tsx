import { Download } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { at } from "../client";
import { language, t } from "../i18n";
import { CopyLink } from "../match/waiting";
import { download } from "../parts/download";
import { Icon } from "../parts/icon";
import { titleOf } from "./drafts";
import type { OpenDraft } from "./open-draft";
import { PublishPart } from "./publish-part";
import { toFragment } from "./share";
import { BesideStart } from "./start";

/** The game as a link and as a file, and what it was before. */
export function SharePane({ draft }: { draft: OpenDraft }) {
  const text = draft.text.value;
  const french = draft.french.value;
  const [link, setLink] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    toFragment({ text, french }).then(
      (fragment) => gone || setLink(fragment && `${location.origin}${at("/studio")}#${fragment}`),
    );
    return () => {
      gone = true;
    };
  }, [text, french]);
  const date = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" });
  const { earlier } = draft.stored.value;
  return (
    <BesideStart draft={draft}>
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
      {french && (
        <button type="button" onClick={() => saveFile(french, nameOf(text), ".fr.toml")}>
          <Icon of={Download} size={18} /> {t("studio.share.file.french")}
        </button>
      )}
      <PublishPart draft={draft} />
      {earlier.length > 0 && (
        <>
          <h2>{t("studio.earlier")}</h2>
          <p class="help">{t("studio.earlier.help")}</p>
          <ul class="plain">
            {earlier.map((version) => (
              <li key={version.changed} class="saved">
                <span>{date.format(version.changed)}</span>
                <button
                  type="button"
                  class="quiet"
                  onClick={() => draft.replace({ text: version.text, french: version.french ?? "" })}
                >
                  {t("studio.earlier.back")}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </BesideStart>
  );
}

function nameOf(text: string): string {
  return (
    titleOf(text)
      .id.replace(/[^a-z0-9-]/g, "")
      .slice(0, 60) || "game"
  );
}

/** Lets the browser save a definition, or its translation, as a file. */
export function saveFile(text: string, name = nameOf(text), end = ".toml"): void {
  download(new Blob([text], { type: "text/plain" }), `${name}${end}`);
}
