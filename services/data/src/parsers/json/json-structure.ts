import { closeBrace, closeBracket, colon, comma, quote } from './characters.ts'

/** The next token a JSON text may hold (RFC 8259); `separator` is a comma or the end of the container. */
export type ExpectedToken = 'value' | 'firstValue' | 'firstName' | 'name' | 'colon' | 'separator' | 'end'

/** An array or object that is open, with the index or name of the value that is read in it. */
interface Container {
  readonly parent: Container | undefined
  readonly depth: number
  readonly isArray: boolean
  readonly index: number
  readonly name: string
}

/** The position in the structure of a JSON document. Immutable: each step returns a new one. */
export interface Structure {
  readonly container: Container | undefined
  readonly expected: ExpectedToken
}

export const documentStart: Structure = { container: undefined, expected: 'value' }

/** Enters an array or object that begins here. */
export const enterContainer = ({ container }: Structure, isArray: boolean): Structure => ({
  container: { parent: container, depth: depthOf(container) + 1, isArray, index: 0, name: '' },
  expected: isArray ? 'firstValue' : 'firstName',
})

/** Completes the value that was expected. */
export const completeValue = ({ container }: Structure): Structure => ({
  container,
  expected: container === undefined ? 'end' : 'separator',
})

/** Sets the name of the member that follows. */
export const nameMember = ({ container }: Structure, name: string): Structure => ({
  container: container && { ...container, name },
  expected: 'colon',
})

/**
 * Applies a character that is neither white space nor the beginning of a value.
 * @returns undefined if the character is not allowed here; a quote begins a name and leaves the structure as it is
 */
export function applyStructural(structure: Structure, character: number): Structure | undefined {
  const { container, expected } = structure
  switch (character) {
    case quote:
      return expected === 'name' || expected === 'firstName' ? structure : undefined
    case colon:
      return expected === 'colon' ? { container, expected: 'value' } : undefined
    case comma:
      return expected === 'separator' && container !== undefined ? nextMember(container) : undefined
    case closeBracket:
    case closeBrace:
      return container !== undefined && canClose(container, expected, character)
        ? completeValue({ container: container.parent, expected })
        : undefined
    default:
      return undefined
  }
}

const nextMember = (container: Container): Structure => ({
  container: { ...container, index: container.index + 1 },
  expected: container.isArray ? 'value' : 'name',
})

const canClose = ({ isArray }: Container, expected: ExpectedToken, character: number): boolean =>
  character === (isArray ? closeBracket : closeBrace) &&
  (expected === 'separator' || expected === (isArray ? 'firstValue' : 'firstName'))

export const depthOf = (container: Container | undefined): number => container?.depth ?? 0

/** Returns the reference tokens (RFC 6901) of the value that is read. */
export function pathOf({ container }: Structure): string[] {
  const path: string[] = []
  for (let at = container; at !== undefined; at = at.parent) path.push(keyOf(at))
  return path.reverse()
}

/** Returns true if the value that is read is at `path`. */
export function isAtPath({ container }: Structure, path: readonly string[]): boolean {
  if (depthOf(container) !== path.length) return false
  for (let at = container; at !== undefined; at = at.parent) if (keyOf(at) !== path[at.depth - 1]) return false
  return true
}

const keyOf = ({ isArray, index, name }: Container): string => (isArray ? String(index) : name)
