import { Check, Copy } from "lucide";
import { useState } from "preact/hooks";
import { at } from "../client";
import { t } from "../i18n";
import { Icon } from "./icon";

/** A text to copy. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState("");
  return (
    <div class="copy-link">
      <input readOnly value={text} aria-label={label} onFocus={(event) => event.currentTarget.select()} />
      <button
        type="button"
        onClick={() =>
          navigator.clipboard.writeText(text).then(
            () => setCopied(text),
            () => undefined,
          )
        }
      >
        <Icon of={copied === text ? Check : Copy} size={18} /> {t(copied === text ? "copied" : "copy")}
      </button>
    </div>
  );
}

/** The width of a board on another page, and the height of what is around it, as the server tells in oEmbed. */
const WIDTH = 480;
const AROUND = 150;

/** The line of HTML that shows a page of `/embed` on another site. */
export function EmbedCode({ path, game }: { path: string; game: { name: string; files: number; ranks: number } }) {
  const address = new URL(at(`/embed/${path}`), location.href).href;
  const height = Math.round((WIDTH * game.ranks) / game.files) + AROUND;
  const size = `width="${WIDTH}" height="${height}" style="border:0;max-width:100%" loading="lazy"`;
  const code = `<iframe src="${escaped(address)}" title="${escaped(game.name)}" ${size}></iframe>`;
  return <CopyText text={code} label={t("embed.code")} />;
}

function escaped(text: string): string {
  return text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
