const excerptLength = 80

/** Returns the first words of an HTML page, without its markup. */
export function htmlExcerpt(sample: string): string {
  const text = sample
    .slice(0, 20_000)
    .replaceAll(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, ' ')
    .replaceAll(/<[^>]*>?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length > excerptLength ? `${text.slice(0, excerptLength).trimEnd()}…` : text
}
