/** Returns the fragment of a heading: lower case, words joined by hyphens. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Returns a function that makes fragments unique within a page. */
export function createSlugger(): (text: string) => string {
  const used = new Map<string, number>()
  return (text) => {
    const slug = slugOf(text)
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}
