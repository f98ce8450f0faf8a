import { bodyPointer, type FieldError } from '@wp/contracts'

export type Schema = Readonly<Record<string, unknown>>
export type Path = readonly (string | number)[]

/** Thrown when an evaluation takes more steps than it may. */
export class StepLimitReached extends Error {
  override readonly name = 'StepLimitReached'
}

/** An evaluation of one input. */
export interface Evaluation {
  /** Returns the errors of a value; none if it matches. */
  match(schema: unknown, value: unknown, path: Path): FieldError[]
  /** Counts work that does not recurse. @throws StepLimitReached */
  spend(steps: number): void
}

export const fault = (path: Path, detail: string): FieldError => ({ pointer: bodyPointer(path), detail })

export const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
