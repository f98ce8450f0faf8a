import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { WorkspaceCaller } from '@wp/contracts'
import type { InternalCalls, Logger, SystemCallContext } from '@wp/service'
import { reportIntegrationUse } from '@wp/service/integration-uses'
import { z } from 'zod'
import { isUnauthorized } from './model-failure.ts'

/** More tokens than any model takes or writes in one call. The sum of a run's calls must fit into an integer column. */
const maxTokens = 10_000_000

const tokens = z.int().min(0).max(maxTokens).optional().catch(undefined)
const Details = z.object({ cached_tokens: tokens }).optional().catch(undefined)
const ReportedUsage = z
  .object({ prompt_tokens: tokens, completion_tokens: tokens, prompt_tokens_details: Details })
  .catch({})

/** The use of a model call as a provider reports it. What is missing or impossible is left out, to be estimated. */
export interface ReportedTokens {
  prompt_tokens?: number | undefined
  completion_tokens?: number | undefined
  prompt_tokens_details?: { cached_tokens: number }
}

/** Reads the member `usage` of a response. A prompt of no tokens does not exist. */
export function readReportedUsage(usage: unknown): ReportedTokens {
  const {
    prompt_tokens: prompt,
    completion_tokens: completion,
    prompt_tokens_details: details,
  } = ReportedUsage.parse(usage)
  const cached = details?.cached_tokens
  return {
    ...(prompt === undefined || prompt === 0 ? {} : { prompt_tokens: prompt }),
    ...(completion === undefined ? {} : { completion_tokens: completion }),
    ...(cached === undefined || prompt === undefined || cached > prompt
      ? {}
      : { prompt_tokens_details: { cached_tokens: cached } }),
  }
}

/** Converts the use for the AI SDK, whose own conversion takes what is missing for 0. */
export function toModelUsage(usage: unknown): LanguageModelV4Usage {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = readReportedUsage(usage)
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: details?.cached_tokens, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  }
}

/** Estimated number of characters of a token. */
const charactersPerToken = 4

/** Estimates the number of tokens of a text by its length in characters, for use that a provider does not report. */
export const estimateTokens = (length: number): number => Math.ceil(length / charactersPerToken)

type Outcome = 'ok' | 'unauthorized' | 'error'

interface ReportOptions {
  internal: InternalCalls
  log: Logger
  about: SystemCallContext
  integrationId: string
  /** Revision of the configuration and secrets that are used. */
  revision: number
}

/**
 * Creates a function that reports the outcome of requests to the integrations service, each outcome once: a run makes
 * many requests. It does not wait for the report, and never throws: the next run reports again.
 */
export function createUseReporter({ internal, log, about, integrationId, revision }: ReportOptions) {
  const reported = new Set<Outcome>()
  return (status: number | undefined, message: string): void => {
    const outcome = outcomeOf(status)
    if (reported.has(outcome)) return
    reported.add(outcome)
    const body = { outcome, revision, ...(message === '' ? {} : { message: message.slice(0, 1_000) }) }
    void reportIntegrationUse({ internal, log }, about, integrationId, body)
  }
}

/** Returns the workspace and trace of a caller's request, for the reports of what it used. */
export const aboutCaller = ({ workspaceId, requestId, traceparent }: WorkspaceCaller): SystemCallContext => ({
  workspaceId,
  requestId,
  ...(traceparent === undefined ? {} : { traceparent }),
})

function outcomeOf(status: number | undefined): Outcome {
  if (status === undefined) return 'error'
  if (isUnauthorized(status)) return 'unauthorized'
  return status >= 200 && status < 300 ? 'ok' : 'error'
}
