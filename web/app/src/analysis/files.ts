// Files to download: texts, and pictures made from SVG.

import { download } from "../parts/download";

export function saveText(text: string, type: string, name: string): void {
  download(new Blob([text], { type }), name);
}

/** Length of the picture's longer side. */
const SIZE_PX = 1600;

/** Saves an SVG as a PNG file. */
export async function toPng(svg: string, name: string): Promise<void> {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    await new Promise((done, failed) => {
      image.onload = done;
      image.onerror = failed;
      image.src = address;
    });
    const scale = SIZE_PX / Math.max(image.naturalWidth, image.naturalHeight);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.naturalWidth * scale);
    canvas.height = Math.round(image.naturalHeight * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (!picture) throw new Error("no picture");
    download(picture, name);
  } finally {
    URL.revokeObjectURL(address);
  }
}
