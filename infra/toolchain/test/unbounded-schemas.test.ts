import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { findUnboundedInRepository, findUnboundedSchemas } from './find-unbounded-schemas.ts'

const root = join(import.meta.dirname, '../../..')

describe('schemas in the source of services and packages', () => {
  it('have a bound on each array and record, or a reason', () => {
    const { scanned, found } = findUnboundedInRepository(root)
    expect(scanned).toBeGreaterThan(300)
    expect(found).toEqual([])
  })

  it.each([
    ['an array', 'const a = z.array(z.object({ id: z.string() }))', ['array']],
    ['an array with a minimum only', 'z.array(z.string()).min(1)', ['array']],
    ['an array that is counted after another check', 'z.array(z.string()).refine(isFine).max(5)', ['array']],
    ['an array over two lines', 'z\n  .array(z.string())\n  .optional()', ['array']],
    ['an array inside a bounded one', 'z.array(z.array(z.number())).max(5)', ['array']],
    ['a record, whatever follows', 'z.record(z.string(), z.number()).refine(isSmall)', ['record']],
    ['a set', 'z.set(z.string())', ['set']],
    ['a parenthesis in a string or pattern', "z.array(z.string().regex(/^\\)$/, ').max(1)'))", ['array']],
    ['a comment without a reason', '// unbounded:\nz.record(a, b)', ['record']],
    ['a comment on the wrong line', '// unbounded: ours\n\nz.record(a, b)', ['record']],
  ])('are found: %s', (_name, source, kinds) => {
    expect(findUnboundedSchemas(source).map(({ kind }) => kind)).toEqual(kinds)
  })

  it.each([
    ['a bounded array', 'z.array(z.string()).max(5)'],
    ['a bounded array with a minimum', 'z\n  .array(z.string().regex(/\\(/))\n  .min(1)\n  .max(5, "(")\n  .meta({})'],
    ['a reason above', '// unbounded: a file of the operator\nz.record(a, b)'],
    ['a reason on the line', 'keys: z.array(key), // unbounded: a file of the operator'],
    ['a schema in a comment', '/** `z.array(any)` */ const a = 1 // z.record(b)'],
  ])('are accepted: %s', (_name, source) => {
    expect(findUnboundedSchemas(source)).toEqual([])
  })
})
