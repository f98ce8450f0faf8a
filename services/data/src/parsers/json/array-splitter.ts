import { problem } from '@wp/contracts'
import { isAsciiSpace, lineFeed, openBracket } from './characters.ts'
import { type ArrayElement, createElementScanner, type ElementScanner } from './element-scanner.ts'

/** Splits the text of a JSON array, which arrives in chunks, into the texts of its elements. */
interface ArraySplitter {
  /** @throws Problem `malformed_body` if the text does not begin with an array */
  split(text: string): ArrayElement[]
  /**
   * Ends the text. Returns the element it truncates, and the fault at its end.
   * @throws Problem `malformed_body` if the text is empty
   */
  end(): { openElement?: ArrayElement; fault?: { line: number; reason: string } }
}

const notAnArray =
  'The JSON must be an array with an object for each row, such as [{"time": …}, …]. If it is within an object, send the array alone'

export function createArraySplitter(): ArraySplitter {
  let phase: 'before' | 'inside' | 'after' = 'before'
  let line = 1
  let scanner: ElementScanner | undefined
  let trailingText: { line: number; reason: string } | undefined

  /** Reads a character before or after the array. */
  function readOutside(character: number): void {
    if (character === lineFeed) line++
    if (isAsciiSpace(character)) return
    if (phase === 'after') trailingText ??= { line, reason: 'text after the end of the array' }
    else if (character === openBracket) phase = 'inside'
    else throw problem('malformed_body', { detail: notAnArray })
  }

  return {
    split(text) {
      const elements: ArrayElement[] = []
      for (let at = 0; at < text.length; ) {
        if (phase !== 'inside') {
          readOutside(text.charCodeAt(at++))
          continue
        }
        scanner ??= createElementScanner(line)
        const scanned = scanner.scan(text, at)
        for (const element of scanned.elements) elements.push(element)
        line = scanner.line()
        at = scanned.end ?? text.length
        if (scanned.end !== undefined) phase = 'after'
      }
      return elements
    },
    end() {
      if (phase === 'before') throw problem('malformed_body', { detail: 'The body is empty; it must be a JSON array' })
      if (phase === 'after') return trailingText === undefined ? {} : { fault: trailingText }
      const fault = { line, reason: 'the array ends before it is closed' }
      const openElement = scanner?.open()
      return openElement === undefined ? { fault } : { openElement, fault }
    },
  }
}
