// Files that the browser makes: texts, and pictures out of drawings.

function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveText(text: string, type: string, name: string): void {
  save(new Blob([text], { type }), name);
}

/** Pixels of the longer side. */
const SIZE = 1600;

/** Paints a drawing and saves the picture. */
export async function toPng(svg: string, name: string): Promise<void> {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    await new Promise((done, failed) => {
      image.onload = done;
      image.onerror = failed;
      image.src = address;
    });
    const scale = SIZE / Math.max(image.naturalWidth, image.naturalHeight);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.naturalWidth * scale);
    canvas.height = Math.round(image.naturalHeight * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (!picture) throw new Error("no picture");
    save(picture, name);
  } finally {
    URL.revokeObjectURL(address);
  }
}
