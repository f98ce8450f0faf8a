const [maxNameLength, maxPrefixLength] = [64, 24]

/**
 * Returns the host of an address as the beginning of names of tools: `https://api.example.com/v1` is `api_example_com`.
 */
export const prefixOf = (address: unknown): string =>
  slug(URL.parse(String(address))?.hostname ?? '').slice(0, maxPrefixLength)

/** Returns a name that models accept: a letter, then letters, digits and underscores, at most 64. */
export function toolNameOf(...parts: readonly string[]): string {
  const name = parts.map(slug).filter(Boolean).join('_')
  return (/^[a-zA-Z]/.test(name) ? name : ['tool', name].filter(Boolean).join('_')).slice(0, maxNameLength)
}

const slug = (text: string): string => text.replaceAll(/[^a-zA-Z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '')

/** Returns the name of a tool of a server in words: `Create page` of `create_page`. */
export function wordsOf(name: string): string {
  const words = name.replaceAll(/[_.-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns tools with unique names: a name that is taken gets a number. */
export function withUniqueNames<T extends { name: string }>(tools: readonly T[]): T[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    let name = tool.name
    for (let number = 2; taken.has(name); number++) name = `${tool.name.slice(0, maxNameLength - 4)}_${number}`
    taken.add(name)
    return name === tool.name ? tool : { ...tool, name }
  })
}
