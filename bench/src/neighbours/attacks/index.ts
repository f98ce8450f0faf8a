import type { Attack } from './attack.ts'
import { embeddingServers } from './embeddings.ts'
import { forecasts } from './forecasts.ts'
import { filters, phrases } from './search.ts'
import { drip, gibibyte, uploads } from './sources.ts'
import { tokens } from './tokens.ts'
import { replays, slowReceivers } from './webhooks.ts'

/** The attacks, by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  phrases,
  filters,
  drip,
  forecasts,
  'slow-receivers': slowReceivers,
  uploads,
  gibibyte,
  'embedding-servers': embeddingServers,
  replays,
  tokens,
}
