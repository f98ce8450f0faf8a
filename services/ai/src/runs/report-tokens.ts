import type { Transaction } from '@wp/database'
import type { Job } from '@wp/jobs'
import type { RunInput } from './run-input.ts'

interface Tokens {
  inputTokens: number
  outputTokens: number
}

/** Returns what the use of a run is counted by. */
export function usageDimensions({ input }: Job, agentId: string | null) {
  const { behaviour } = input as RunInput // written by start-run.ts
  return { model: behaviour.model.provider, ...(agentId === null ? {} : { agent_id: agentId }) }
}

/** Reports tokens to billing. The transaction writes them to the run, which happens once, so they count once. */
export function reportTokens(tx: Transaction, job: Job, agentId: string | null, tokens: Tokens): void {
  const dimensions = usageDimensions(job, agentId)
  const { inputTokens, outputTokens } = tokens
  const report = (meter: 'tokens_in' | 'tokens_out', quantity: number) => {
    if (quantity > 0) tx.recordUsage({ meter, quantity, subject: job.id, dimensions })
  }
  report('tokens_in', inputTokens)
  report('tokens_out', outputTokens)
}
