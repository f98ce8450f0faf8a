import { problem } from '@wp/contracts'
import { maxRowBytes } from '../row.ts'

/** The text of one element of an array. */
export interface ArrayElement {
  line: number
  /** From 1. */
  number: number
  /** Absent when it is larger than a row may be. */
  source: string | undefined
}

interface ArraySplitter {
  /** @throws Problem `malformed_body` when the text does not begin an array */
  read(text: string): ArrayElement[]
  /** What was open when the text ended, and what is wrong with its end. */
  end(): { openElement?: ArrayElement; fault?: { line: number; reason: string } }
}

/** Takes what stands between the brackets of an array, in pieces. */
export interface ElementScanner {
  /** The elements that end in this piece; `end`: where it goes on behind the closing bracket, if that is in it. */
  scan(text: string, from: number): { elements: ArrayElement[]; end: number | undefined }
  /** The line it has come to. */
  line(): number
  /** What has begun and not ended. */
  open(): ArrayElement | undefined
}

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash, comma, lineFeed] = [code('"'), code('\\'), code(','), code('\n')]
const [openBracket, closeBracket, openBrace, closeBrace] = [code('['), code(']'), code('{'), code('}')]
const isSpace = (character: number) => character === 32 || (character >= 9 && character <= 13)

/** Cuts the text of a JSON array into the texts of its elements: commas and brackets outside strings decide. */
export function createArraySplitter(): ArraySplitter {
  let phase: 'before' | 'inside' | 'after' = 'before'
  let line = 1
  let cutter: ElementScanner | undefined
  let trailing: { line: number; reason: string } | undefined

  function outside(character: number): void {
    if (isSpace(character)) return
    if (phase === 'after') trailing ??= { line, reason: 'text after the end of the array' }
    else if (character === openBracket) phase = 'inside'
    else throw problem('malformed_body', { detail: 'The body must be a JSON array of objects' })
  }

  return {
    read(text) {
      const elements: ArrayElement[] = []
      for (let at = 0; at < text.length; ) {
        if (phase === 'inside') {
          cutter ??= createElementScanner(line)
          const { elements: some, end } = cutter.scan(text, at)
          for (const element of some) elements.push(element)
          line = cutter.line()
          at = end ?? text.length
          if (end !== undefined) phase = 'after'
          continue
        }
        const character = text.charCodeAt(at++)
        outside(character)
        if (character === lineFeed) line++
      }
      return elements
    },
    end() {
      if (phase === 'before') throw problem('malformed_body', { detail: 'The body is empty; it must be a JSON array' })
      if (phase === 'after') return trailing === undefined ? {} : { fault: trailing }
      const fault = { line, reason: 'the array ends before it is closed' }
      const open = cutter?.open()
      return open === undefined ? { fault } : { openElement: open, fault }
    },
  }
}

/** @param line the one the opening bracket stands on */
export function createElementScanner(line: number): ElementScanner {
  let place = 1
  let depth = 0
  let isString = false
  let isEscaped = false
  /** What earlier pieces held of the element under way. */
  let kept = ''
  let isTooLong = false
  /** Where its first character stands; absent until there is one. */
  let beganOn: number | undefined

  function element(rest: string): ArrayElement {
    const source = kept + rest
    return {
      line: beganOn ?? line,
      number: place,
      source: isTooLong || source.length > maxRowBytes ? undefined : source,
    }
  }

  function next(): void {
    place++
    kept = ''
    isTooLong = false
    beganOn = undefined
  }

  /** Follows one character of an element; answers whether it ends it. */
  function follow(character: number): boolean {
    if (isString) {
      if (isEscaped) isEscaped = false
      else if (character === backslash) isEscaped = true
      else if (character === quote) isString = false
      return false
    }
    if (depth === 0 && (character === comma || character === closeBracket)) return true
    if (beganOn === undefined && !isSpace(character)) beganOn = line
    if (character === quote) isString = true
    else if (character === openBrace || character === openBracket) depth++
    else if ((character === closeBrace || character === closeBracket) && depth > 0) depth--
    return false
  }

  return {
    scan(text, start) {
      const elements: ArrayElement[] = []
      let from = start
      for (let at = start; at < text.length; at++) {
        const character = text.charCodeAt(at)
        if (follow(character)) {
          const isEmptyArray = character === closeBracket && place === 1 && beganOn === undefined
          if (!isEmptyArray) elements.push(element(text.slice(from, at)))
          next()
          from = at + 1
          if (character === closeBracket) return { elements, end: from }
        }
        if (character === lineFeed) line++
      }
      if (!isTooLong) kept += text.slice(from)
      if (kept.length > maxRowBytes) {
        isTooLong = true
        kept = ''
      }
      return { elements, end: undefined }
    },
    line: () => line,
    open: () => (beganOn === undefined ? undefined : element('')),
  }
}
