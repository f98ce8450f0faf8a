/** A part of what a model wrote. */
export type WrittenPart =
  | { type: 'text' | 'reasoning'; text: string }
  /** The text so far was reasoning: its end came without its beginning, which some servers put into the prompt. */
  | { type: 'text-was-reasoning' }

/**
 * The tags around reasoning in a text, by model: Gemma, Magistral and Kimi have their own. One in backticks is a word.
 */
const tag = /(?<!`)(?:<\/?(?:think(?:ing)?|thought|reasoning)\s{0,8}>|\[\/?THINK\]|◁\/?think▷)/i
/** Tags that are also ordinary XML or text: they are about reasoning only before the answer. */
const ordinaryTags: readonly string[] = ['<thought>', '<reasoning>', '[think]']
/** The end of a text that may be the beginning of a tag. */
const beginningOfTag = /`?[<[◁]\/?[a-z]{0,9}\s{0,8}$|`$/i

/**
 * Separates the reasoning that a model writes between `<think>` and `</think>`, or tags like these, from its text. A
 * tag, or a character of two code units, may be divided between two deltas.
 */
export class ReasoningSplitter {
  #held = ''
  /** The tag that began the reasoning. Only its own end ends it: any other tag is part of it. */
  #opening: string | undefined
  #hasText = false
  /** True at the beginning of a line. */
  #isAtLineStart = true
  /** True after a closing tag: the line breaks before the answer are not part of it. */
  #skipsSpace = false
  /** Reasoning that has not ended, in case that it turns out to be text. */
  #unended: string[] = []

  /** Returns the parts that are complete. */
  push(delta: string): WrittenPart[] {
    const all = (this.#held + delta).replaceAll('\0', '')
    const parts: WrittenPart[] = []
    let rest = all
    for (let found = tag.exec(rest); found !== null; found = tag.exec(rest)) {
      parts.push(...this.#write(rest.slice(0, found.index)), ...this.#switch(found[0]))
      rest = rest.slice(found.index + found[0].length)
    }
    const heldLength = lengthOfHeld(rest)
    this.#held = rest.slice(rest.length - heldLength)
    return [...parts, ...this.#write(rest.slice(0, rest.length - heldLength))]
  }

  /** Returns the rest. Reasoning without an end after a text was no reasoning: the answer mentions the tag. */
  end(): WrittenPart[] {
    const parts = this.#write(this.#held.toWellFormed())
    this.#held = ''
    if (this.#opening === undefined || !this.#hasText) return parts
    this.#opening = undefined
    return [{ type: 'text', text: this.#unended.join('') }]
  }

  #switch(text: string): WrittenPart[] {
    const isClosing = text.includes('/')
    const opening = text.replaceAll(/[\s/]/g, '').toLowerCase()
    const isOrdinary = this.#hasText && ordinaryTags.includes(opening)
    if (isClosing ? this.#opening === opening : this.#opening === undefined && !isOrdinary) {
      this.#opening = isClosing ? undefined : opening
      this.#skipsSpace = isClosing
      this.#unended = isClosing ? [] : [text]
      return []
    }
    // Other tags inside of reasoning are part of it; an end within a line is a word of the answer.
    if (!isClosing || this.#opening !== undefined || isOrdinary || !this.#isAtLineStart) return this.#write(text)
    this.#skipsSpace = true
    if (!this.#hasText) return []
    this.#hasText = false
    return [{ type: 'text-was-reasoning' }]
  }

  #write(written: string): WrittenPart[] {
    const text = this.#skipsSpace && this.#opening === undefined ? written.trimStart() : written
    if (text === '') return []
    if (this.#opening !== undefined) {
      this.#unended.push(text)
      return [{ type: 'reasoning', text }]
    }
    this.#skipsSpace = false
    this.#hasText ||= text.trim() !== ''
    this.#isAtLineStart = /\n[ \t]*$/.test(text)
    return [{ type: 'text', text }]
  }
}

function lengthOfHeld(text: string): number {
  const tagLength = beginningOfTag.exec(text)?.[0].length ?? 0
  if (tagLength > 0) return tagLength
  return /[\ud800-\udbff]$/.test(text) ? 1 : 0
}

/** Returns a complete text without its reasoning. */
export function withoutReasoning(written: string): string {
  const splitter = new ReasoningSplitter()
  let text = ''
  for (const part of [...splitter.push(written), ...splitter.end()]) {
    if (part.type === 'text') text += part.text
    if (part.type === 'text-was-reasoning') text = ''
  }
  return text
}
