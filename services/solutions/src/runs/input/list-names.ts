const maxListed = 20

/** Formats names for a message: quoted, at most 20 of them. */
export function listNames(names: readonly string[]): string {
  const quoted = names.slice(0, maxListed).map((name) => `"${name}"`)
  const more = names.length - quoted.length
  return more > 0 ? `${quoted.join(', ')} and ${more} more` : quoted.join(', ')
}
