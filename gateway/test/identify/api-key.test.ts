import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseApiKey } from '../../src/identify/credential-lookup.ts'

const textOf = (characters: string, min: number, max = min) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: min, maxLength: max })
const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
const segments = fc.record({
  shard: textOf('abcdefghijklmnopqrstuvwxyz0123456789', 1, 16),
  location: textOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 2, 8),
  workspaceId: fc.tuple(textOf('01234567', 1), textOf(base32, 25)).map(([first, rest]) => `ws_${first}${rest}`),
})
const written = ({ shard, location, workspaceId }: { shard: string; location: string; workspaceId: string }) =>
  `key_${shard}.${location}.${workspaceId}.`

describe('parseApiKey', () => {
  it('returns the segments of a valid key', () => {
    fc.assert(
      fc.property(segments, fc.uuid({ version: 4 }), (parts, uuid) => {
        expect(parseApiKey(written(parts) + uuid)).toEqual(parts)
      }),
    )
  })

  it('returns other segments, or none, when a character changes', () => {
    fc.assert(
      fc.property(
        segments,
        fc.uuid({ version: 4 }),
        fc.nat(),
        fc.string({ maxLength: 3 }),
        (parts, uuid, at, other) => {
          const key = written(parts) + uuid
          const position = at % (key.length - 36) // before the UUID
          const changed = key.slice(0, position) + other + key.slice(position + 1)
          fc.pre(changed !== key)
          expect(parseApiKey(changed)).not.toEqual(parts)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it.each([1, 3, 5, 7] as const)('rejects a UUID of version %s', (version) => {
    fc.assert(
      fc.property(segments, fc.uuid({ version }), (parts, uuid) => {
        expect(parseApiKey(written(parts) + uuid)).toBeUndefined()
      }),
    )
  })

  it('rejects other text, also around a valid key', () => {
    const around = fc.string({ minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(segments, fc.uuid({ version: 4 }), around, (parts, uuid, more) => {
        const key = written(parts) + uuid
        for (const text of [more, key + more, more + key, `${key}\n`, key.toUpperCase(), key.replaceAll('.', more)])
          if (text !== key) expect(parseApiKey(text)).toBeUndefined()
      }),
    )
  })
})
