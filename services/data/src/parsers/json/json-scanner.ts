import { type Problem, problem } from '@wp/contracts'
import { maxRowBytes } from '../row.ts'

/** What becomes of a value: gone into, kept for `take`, or taken over up to this place by who was asked. */
type OnValue = (text: string, at: number) => 'enter' | 'keep' | number
/** @param source absent where the value is larger than a row may be */
type OnCaptured = (path: readonly string[], source: string | undefined, line: number) => void

/** Goes through the text of a JSON document (RFC 8259) in pieces, and knows at every value where it stands. */
interface JsonScanner {
  /** Goes on from a place of a piece; answers where it stopped, which is its end or behind what was taken over. */
  scan(text: string, from: number, visit: OnValue, take: OnCaptured): number
  /** So much was taken over, up to this line. */
  passed(characters: number, line: number): void
  isAt(path: readonly string[]): boolean
  line(): number
  /** @throws Problem `malformed_body` unless the document is complete */
  end(take: OnCaptured): void
  malformed(why: string): Problem
}

interface Frame {
  isArray: boolean
  index: number
  key: string
}

interface Kept {
  text: string
  line: number
  depth: number
  isTooLong: boolean
}

const maxDepth = 1000
/** No name that is looked for and no number is longer. */
const maxScalar = 4096
const code = (character: string) => character.charCodeAt(0)
const [quote, backslash, comma, colon, lineFeed] = [code('"'), code('\\'), code(','), code(':'), code('\n')]
const [openBracket, closeBracket, openBrace, closeBrace] = [code('['), code(']'), code('{'), code('}')]
const isSpace = (character: number) => character === 32 || character === 9 || character === 10 || character === 13
const literal = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

export function createJsonScanner(): JsonScanner {
  const frames: Frame[] = []
  let state: 'value' | 'firstValue' | 'firstKey' | 'key' | 'colon' | 'after' | 'done' = 'value'
  /** What is under way: a string, a literal or a value that is kept. */
  let within: 'string' | 'literal' | 'kept' | undefined
  let isKey = false
  let isString = false
  let isEscaped = false
  let scalar = ''
  let kept: Kept | undefined
  let line = 1
  let offset = 0

  /** Where the value under way began; what is wrong with it is said of that place. */
  let began: { line: number; offset: number } | undefined

  function malformed(why: string): Problem {
    const place = began ?? { line, offset }
    const detail = `The JSON cannot be read at line ${place.line}, character ${place.offset + 1}: ${why}`
    return problem('malformed_body', { detail })
  }

  const path = () => frames.map(({ isArray, index, key }) => (isArray ? String(index) : key))

  function valueEnds(): void {
    within = undefined
    began = undefined
    state = frames.length === 0 ? 'done' : 'after'
  }

  function open(isArray: boolean): void {
    if (frames.length === maxDepth) throw malformed(`it is nested deeper than ${maxDepth} levels`)
    frames.push({ isArray, index: 0, key: '' })
    state = isArray ? 'firstValue' : 'firstKey'
  }

  /** Follows a string from within; answers where it goes on, behind the closing quote if that is here. */
  function passString(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const character = text.charCodeAt(at)
      if (isEscaped) isEscaped = false
      else if (character === backslash) isEscaped = true
      else if (character === quote) {
        if (isKey) nameMember(scalar + text.slice(from, at))
        else valueEnds()
        return at + 1
      } else if (character < 32) {
        offset += at - from
        throw malformed('a text has a control character in it')
      }
    }
    if (isKey && scalar.length < maxScalar) scalar += text.slice(from)
    return text.length
  }

  function nameMember(source: string): void {
    within = undefined
    state = 'colon'
    const frame = frames.at(-1)
    if (frame === undefined) return
    try {
      frame.key = String(JSON.parse(`"${source}"`))
    } catch {
      throw malformed('a name is not written as JSON has it')
    }
  }

  function passLiteral(text: string, from: number): number {
    let at = from
    while (at < text.length && /[\w+.-]/.test(text[at] ?? '')) at++
    if (scalar.length < maxScalar) scalar += text.slice(from, at)
    if (at < text.length) endLiteral()
    return at
  }

  function endLiteral(): void {
    if (!literal.test(scalar)) throw malformed(`"${scalar.slice(0, 40)}" is no value`)
    valueEnds()
  }

  /** Follows a value that is kept to its end, whatever it holds: who takes it parses it. */
  function passKept(text: string, from: number, value: Kept, take: OnCaptured): number {
    let at = from
    let isOver = false
    for (; at < text.length && !isOver; at++) {
      const character = text.charCodeAt(at)
      if (character === lineFeed) line++
      if (isString) {
        if (isEscaped) isEscaped = false
        else if (character === backslash) isEscaped = true
        else if (character === quote) isString = false
        isOver = !isString && value.depth === 0
      } else if (character === quote) isString = true
      else if (character === openBrace || character === openBracket) value.depth++
      else if (character === closeBrace || character === closeBracket) {
        // One that closes what is around it: a number or a word ended before.
        if (value.depth === 0) break
        isOver = --value.depth === 0
      } else if (value.depth === 0 && (character === comma || isSpace(character))) {
        if (character === lineFeed) line--
        break
      }
    }
    if (!value.isTooLong) value.text += text.slice(from, at)
    if (value.text.length > maxRowBytes) {
      value.isTooLong = true
      value.text = ''
    }
    if (isOver || at < text.length) endKept(value, take)
    return at
  }

  function endKept(value: Kept, take: OnCaptured): void {
    kept = undefined
    take(path(), value.isTooLong ? undefined : value.text, value.line)
    valueEnds()
  }

  function begin(text: string, at: number, visit: OnValue): number {
    const character = text.charCodeAt(at)
    if (!/[{["\-\dtfn]/.test(text[at] ?? '')) throw malformed(`a value is missing before ${JSON.stringify(text[at])}`)
    const answer = visit(text, at)
    if (typeof answer === 'number') {
      valueEnds()
      return answer
    }
    if (answer === 'keep') {
      within = 'kept'
      began = { line, offset }
      kept = { text: '', line, depth: 0, isTooLong: false }
      return at
    }
    if (character === openBracket || character === openBrace) open(character === openBracket)
    else {
      within = character === quote ? 'string' : 'literal'
      isKey = false
      scalar = ''
      if (within === 'literal') {
        began = { line, offset }
        return at
      }
    }
    return at + 1
  }

  function structure(character: number): void {
    const frame = frames.at(-1)
    const isClosing = frame !== undefined && character === (frame.isArray ? closeBracket : closeBrace)
    if (isClosing && (state === 'after' || state === 'firstValue' || state === 'firstKey')) {
      frames.pop()
      valueEnds()
    } else if ((state === 'key' || state === 'firstKey') && character === quote) {
      within = 'string'
      isKey = true
      scalar = ''
    } else if (state === 'colon' && character === colon) state = 'value'
    else if (state === 'after' && character === comma && frame !== undefined) {
      frame.index++
      state = frame.isArray ? 'value' : 'key'
    } else
      throw malformed(
        `${JSON.stringify(String.fromCharCode(character))} stands where ${state === 'done' ? 'nothing more is to come' : 'it cannot'}`,
      )
  }

  return {
    scan(text, from, visit, take) {
      let at = from
      while (at < text.length) {
        const before = at
        if (within === 'string') at = passString(text, at)
        else if (within === 'literal') at = passLiteral(text, at)
        else if (within === 'kept' && kept !== undefined) at = passKept(text, at, kept, take)
        else {
          const character = text.charCodeAt(at)
          const isValue = state === 'value' || (state === 'firstValue' && character !== closeBracket)
          if (isSpace(character)) {
            if (character === lineFeed) line++
            at++
          } else if (isValue) {
            at = begin(text, at, visit)
            if (within === undefined && (state === 'after' || state === 'done')) {
              offset += at - before
              return at
            }
          } else {
            structure(character)
            at++
          }
        }
        offset += at - before
      }
      return at
    },
    passed(characters, lineNow) {
      offset += characters
      line = lineNow
    },
    isAt: (wanted) =>
      frames.length === wanted.length &&
      frames.every(({ isArray, index, key }, depth) => (isArray ? String(index) : key) === wanted[depth]),
    line: () => line,
    end(take) {
      if (within === 'literal') endLiteral()
      if (kept !== undefined && !isString && kept.depth === 0) endKept(kept, take)
      if (state === 'done' && within === undefined) return
      began = undefined
      throw malformed(offset === 0 ? 'it is empty' : 'the document ends before it is complete')
    },
    malformed,
  }
}
