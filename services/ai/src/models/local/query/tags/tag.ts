/** A value that a field has, as it is in the data. */
export interface KnownValue {
  field: string
  value: string
  /** True if several records have it. */
  isRepeated?: boolean
}

/**
 * Parts of a question that the source has. In the tagged text each is one word, a letter and its position: `S0` the
 * source, `V1` a value, and `N2` a number, `D3` a time, `B4` a boolean or `X5` any other column.
 */
export interface Tag {
  letter: 'S' | 'V' | 'N' | 'D' | 'B' | 'X'
  /** As the user wrote it. */
  text: string
  /** The columns it may mean, or those that have the value. More than one: the question must say which. */
  options: KnownValue[]
  /** True for a column named by exactly this word: `visitors`, not `floors` for a column `floor`. */
  isExact: boolean
}

const letters: Partial<Record<string, Tag['letter']>> = { number: 'N', timestamp: 'D', boolean: 'B' }

/** Returns the letter of a column. One with texts for yes and no is a boolean. */
export const letterOf = (name: string, type: string, values: readonly KnownValue[]): Tag['letter'] =>
  type === 'string' && yesOf(name, values) !== undefined ? 'B' : (letters[type] ?? 'X')

/** Returns the text for yes of a column that has no other texts than that and one for no. */
export function yesOf(name: string, values: readonly KnownValue[]): string | undefined {
  const texts = values.filter(({ field }) => field === name).map(({ value }) => value)
  const [yes, no] = [/^(?:yes|y|ja|j|oui|sí|true|x)$/i, /^(?:no|n|nein|non|false)$/i].map((pattern) =>
    texts.filter((text) => pattern.test(text)),
  )
  return yes?.length === 1 && texts.length === 1 + (no?.length ?? 0) ? yes[0] : undefined
}
