import { type ConnectionFlags, connectionFlags } from '../flag-types.ts'

/** Flags of every command that prints data of the platform. */
export interface OutputFlags extends ConnectionFlags {
  json: string | undefined
  jq: string | undefined
}

export type JsonFlags = Pick<OutputFlags, 'json' | 'jq'>

export const outputFlags = {
  ...connectionFlags,
  json: {
    kind: 'parsed',
    parse: String,
    inferEmpty: true,
    optional: true,
    placeholder: 'fields',
    brief: 'Print JSON, of these fields only if any are named: --json=name,status',
  },
  jq: {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: 'expression',
    brief: 'Print the results of a jq expression over the JSON',
  },
} as const

/** Flags of commands that print a list. */
export interface ListFlags extends OutputFlags {
  limit: number
}

const maxListed = 10_000

export const listFlags = {
  ...outputFlags,
  limit: {
    kind: 'parsed',
    parse: parseLimit,
    default: '30',
    placeholder: 'number',
    brief: 'Print at most this many',
  },
} as const

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > maxListed)
    throw new Error(`must be a whole number from 1 to ${maxListed}`)
  return limit
}
