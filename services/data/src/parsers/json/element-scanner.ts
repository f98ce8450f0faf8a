import { maxRowBytes } from '../row.ts'
import { closeBracket, comma, isAsciiSpace, lineFeed, type Nesting, nextNesting, topLevel } from './characters.ts'

/** The text of one array element. */
export interface ArrayElement {
  /** The line it begins on, from 1. */
  line: number
  /** Its position in the array, from 1. */
  number: number
  /** Undefined if it is larger than a row may be. */
  source: string | undefined
}

/** Splits the text between the brackets of an array, which arrives in chunks, into elements. */
export interface ElementScanner {
  /**
   * Returns the elements that end in this chunk. `end` is the offset after the closing bracket, undefined while the
   * array is open.
   */
  scan(text: string, start: number): { elements: ArrayElement[]; end: number | undefined }
  /** Returns the current line. */
  line(): number
  /** Returns the element that has begun and not ended. */
  open(): ArrayElement | undefined
}

interface ElementState {
  line: number
  number: number
  nesting: Nesting
  /** The text of the current element in earlier chunks. */
  kept: string
  isTooLarge: boolean
  /** The line of the first character that is not white space; undefined before it. */
  startLine: number | undefined
}

/**
 * Only commas and brackets outside strings decide where an element ends. Each element is parsed by itself, so a
 * malformed one does not affect the others.
 * @param line the line of the opening bracket
 */
export function createElementScanner(line: number): ElementScanner {
  const state: ElementState = { line, number: 1, nesting: topLevel, kept: '', isTooLarge: false, startLine: undefined }
  return {
    scan: (text, start) => scanElements(state, text, start),
    line: () => state.line,
    open: () => (state.startLine === undefined ? undefined : toElement(state, '')),
  }
}

function scanElements(state: ElementState, text: string, start: number): ReturnType<ElementScanner['scan']> {
  const elements: ArrayElement[] = []
  let from = start
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (state.nesting === topLevel && (character === comma || character === closeBracket)) {
      const isEmptyArray = character === closeBracket && state.number === 1 && state.startLine === undefined
      if (!isEmptyArray) elements.push(toElement(state, text.slice(from, at)))
      beginNext(state)
      from = at + 1
      if (character === closeBracket) return { elements, end: from }
      continue
    }
    if (character === lineFeed) state.line++
    if (state.startLine === undefined && !isAsciiSpace(character)) state.startLine = state.line
    state.nesting = nextNesting(state.nesting, character)
  }
  keep(state, text.slice(from))
  return { elements, end: undefined }
}

function toElement({ line, number, kept, isTooLarge, startLine = line }: ElementState, rest: string): ArrayElement {
  const source = kept + rest
  return { line: startLine, number, source: isTooLarge || source.length > maxRowBytes ? undefined : source }
}

function beginNext(state: ElementState): void {
  state.number++
  state.kept = ''
  state.isTooLarge = false
  state.startLine = undefined
}

function keep(state: ElementState, text: string): void {
  if (!state.isTooLarge) state.kept += text
  if (state.kept.length <= maxRowBytes) return
  state.isTooLarge = true
  state.kept = ''
}
