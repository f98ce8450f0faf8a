import { findChains } from '../store/retention.ts'
import { BrokenChainError, cutChain, type RetentionContext } from './cut-chain.ts'

/** The result of a run. A chain that was not cut because it is broken has a `problem`. */
export interface CutReport {
  chain: string
  cut: number
  problem?: string
}

const dayMs = 86_400_000
const chainsPerPage = 500

/**
 * Cuts every chain at its retention, one after the other. A broken chain is reported and left as it is.
 * @param defaultDays retention of chains of which none is known; without it they are kept completely
 * @yields the chains of which something was cut, and the broken ones
 */
export async function* cutChains(context: RetentionContext, defaultDays?: number): AsyncGenerator<CutReport> {
  let after = ''
  for (;;) {
    const page = await context.database.read({ workspaceId: null }, (_db, query) =>
      findChains(query, after, chainsPerPage),
    )
    for (const { chain, days } of page) {
      after = chain
      const report = await cutOne(context, chain, days ?? defaultDays)
      if (report.cut > 0 || report.problem !== undefined) yield report
    }
    if (page.length < chainsPerPage) return
  }
}

async function cutOne(context: RetentionContext, chain: string, days: number | undefined): Promise<CutReport> {
  if (days === undefined) return { chain, cut: 0 }
  try {
    return { chain, cut: await cutChain(context, chain, new Date(context.now().getTime() - days * dayMs)) }
  } catch (error) {
    if (error instanceof BrokenChainError) return { chain, cut: 0, problem: error.message }
    throw error
  }
}
