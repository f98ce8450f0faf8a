const typeId = /\s?\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g

/** Returns the ids in a text. */
export const idsIn = (text: string): string[] => text.match(typeId)?.map((id) => id.trim()) ?? []

/** Returns a text with the names of resources in place of their ids; an id without a known name is left out. */
export const withNames = (text: string, nameOf: (id: string) => string | undefined): string =>
  text.replaceAll(typeId, (match) => {
    const name = nameOf(match.trim())
    return name === undefined ? '' : ` “${name}”`
  })
