import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import { columnMatchKey, type SourceConfig } from '@wp/contracts'
import { createPseudonymizer, type Pseudonymize } from './pseudonym.ts'

/** The way a column is protected. */
export type Treatment = 'drop' | 'pseudonymize'

/** Protects the values of a source before anything of them is stored or shown. */
export interface RowProtection {
  /** Returns the treatment of a column; undefined for a column that is stored as it is. */
  treatmentOf(column: string): Treatment | undefined
  pseudonymOf: Pseudonymize
  /**
   * Returns the key of a record if it is another than the pseudonym of the value of its key field: `0417` and `417` are
   * the numbers of one person, so that sources can be joined, and the keys of two records. Undefined if it is the same.
   */
  ownKeyOf(column: string, value: unknown): string | undefined
  /**
   * Creates the hash of a whole file: under the key of the workspace, because the values of a small file could be found
   * from its hash by trying.
   */
  createFileHash(): Hash | Hmac
  /** True if at least one column is protected; otherwise values are only kept out of messages. */
  hasColumns: boolean
  /** Returns the configured name of a protected column that is not among `found`; undefined if there is none. */
  findLacking(found: Iterable<string>): string | undefined
  /** True if the records are restricted to aggregates, so that no message may quote any value. */
  isRestricted: boolean
}

interface ProtectionOptions {
  config: Pick<SourceConfig, 'pseudonymize' | 'drop'>
  isRestricted: boolean
  /** The key of the workspace; undefined if no column is protected. */
  key: string | undefined
}

/** Names whose treatment is remembered: the members of JSON rows are unlimited. */
const maxRememberedNames = 2_000

export function createRowProtection({ config, isRestricted, key }: ProtectionOptions): RowProtection {
  const treatments = new Map<string, { treatment: Treatment; name: string }>()
  for (const name of config.pseudonymize ?? [])
    treatments.set(columnMatchKey(name), { treatment: 'pseudonymize', name })
  for (const name of config.drop ?? []) treatments.set(columnMatchKey(name), { treatment: 'drop', name })
  const remembered = new Map<string, Treatment | undefined>()
  const pseudonymOf: Pseudonymize = key === undefined ? () => null : createPseudonymizer(key)

  function treatmentOf(column: string): Treatment | undefined {
    if (remembered.has(column)) return remembered.get(column)
    const treatment = treatments.get(columnMatchKey(column))?.treatment
    if (remembered.size < maxRememberedNames) remembered.set(column, treatment)
    return treatment
  }

  return {
    treatmentOf,
    pseudonymOf,
    ownKeyOf(column, value) {
      if (typeof value !== 'string' || !value.includes('0') || treatmentOf(column) !== 'pseudonymize') return undefined
      const ownKey = pseudonymOf(value, true)
      return ownKey === null || ownKey === pseudonymOf(value) ? undefined : ownKey
    },
    createFileHash: () =>
      key === undefined ? createHash('sha256') : createHmac('sha256', Buffer.from(key, 'base64')).update('file\0'),
    hasColumns: treatments.size > 0,
    findLacking(found) {
      const keys = new Set([...found].map(columnMatchKey))
      return [...treatments].find(([key]) => !keys.has(key))?.[1].name
    },
    isRestricted,
  }
}

/** Returns true if a config protects columns. */
export const protectsColumns = ({ pseudonymize = [], drop = [] }: ProtectionOptions['config']): boolean =>
  pseudonymize.length > 0 || drop.length > 0

/** Returns true if two configs protect the same columns in the same way. */
export const protectsAlike = (one: ProtectionOptions['config'], other: ProtectionOptions['config']): boolean =>
  (['pseudonymize', 'drop'] as const).every((member) => {
    const [a, b] = [one[member], other[member]].map((names = []) => [...new Set(names.map(columnMatchKey))].sort())
    return JSON.stringify(a) === JSON.stringify(b)
  })
