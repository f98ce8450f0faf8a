import { randomUUID } from 'node:crypto'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider'
import type { Decision } from './answers/answer-steps.ts'
import { decide } from './decide.ts'
import { phrases } from './language/phrases.ts'
import { languageOf } from './language/words.ts'
import { outcomesOf, questionsOf } from './tool-results.ts'

/** The description of the model in lists, and the warning of its runs. */
export const localModelDescription =
  'No language model: chooses tools by fixed rules, and answers with the words and numbers of the data of the workspace'

/** The provider of this model, and the identifier of its only model. */
export const [localProvider, localModelId] = ['local', 'extractive'] as const

interface Options {
  /** Returns a new identifier of a tool call. Default: random. */
  createCallId?: () => string
  /** Returns the time in milliseconds since 1970, for `last week`. Default: that of the system. */
  now?: () => number
}

/**
 * Creates the model that works without a language model. It implements the interface of the AI SDK, so that a run
 * treats it as any other.
 */
export const createLocalModel = ({ createCallId = randomUUID, now = Date.now }: Options = {}): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: localProvider,
  modelId: localModelId,
  supportedUrls: {},
  async doGenerate(options) {
    const { content, finishReason, warnings } = respond(options, createCallId, new Date(now()))
    return { content, finishReason, usage: unknownUsage, warnings }
  },
  async doStream(options) {
    const response = respond(options, createCallId, new Date(now()))
    return { stream: ReadableStream.from(streamParts(response, options.abortSignal)) }
  },
})

interface Response {
  content: LanguageModelV4Content[]
  finishReason: LanguageModelV4FinishReason
  warnings: SharedV4Warning[]
}

function respond(
  { prompt, tools = [], toolChoice, abortSignal }: LanguageModelV4CallOptions,
  createCallId: () => string,
  today: Date,
): Response {
  abortSignal?.throwIfAborted()
  const outcomes = outcomesOf(prompt)
  const offered = new Set(tools.map(({ name }) => name))
  const questions = questionsOf(prompt)
  const [question = '', earlier] = [questions.at(-1), questions.slice(0, -1)]
  const wanted = decide({ question, earlier, tools: offered, outcomes, today })
  // In its last step a run allows no further call.
  const isForbidden = 'calls' in wanted && toolChoice?.type === 'none'
  const decision = isForbidden ? { answer: phrases[languageOf(question)].noAnswer } : wanted
  return {
    content: contentOf(decision, createCallId),
    finishReason: { unified: 'calls' in decision ? 'tool-calls' : 'stop', raw: undefined },
    warnings:
      outcomes.length === 0 ? [{ type: 'other', message: `The model local is used. ${localModelDescription}` }] : [],
  }
}

const contentOf = (decision: Decision, createCallId: () => string): LanguageModelV4Content[] =>
  'answer' in decision
    ? [{ type: 'text', text: decision.answer }]
    : decision.calls.map(({ tool, input }) => ({
        type: 'tool-call',
        toolCallId: createCallId(),
        toolName: tool,
        input: JSON.stringify(input),
      }))

/** There are no tokens, and a run counts none. */
const unknownUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/** Yields the response word by word. */
async function* streamParts(
  { content, finishReason, warnings }: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings }
  for (const part of content) {
    if (part.type === 'tool-call') yield part
    if (part.type !== 'text') continue
    const id = 'answer'
    yield { type: 'text-start', id }
    for (const delta of part.text.match(/\s*\S+|\s+$/g) ?? []) {
      signal?.throwIfAborted()
      yield { type: 'text-delta', id, delta }
    }
    yield { type: 'text-end', id }
  }
  yield { type: 'finish', usage: unknownUsage, finishReason }
}
