import type { ModelReply } from './model-reply.ts'

/** The steps of a model call. */
export type ModelStep = 'connection' | 'status' | 'stream' | 'text' | 'tool call' | 'end' | 'usage'

/** One way in which a model provider misbehaves, at one step. */
export interface ModelMisbehaviour {
  step: ModelStep
  /** The misbehaviour in words, as the documentation lists it. */
  description: string
  reply: ModelReply
}

const chunk = (choice: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, ...choice }], ...more })}\n\n`
const text = (content: string) => chunk({ delta: { role: 'assistant', content } })
const stop = chunk({ delta: {}, finish_reason: 'stop' })
const done = 'data: [DONE]\n\n'
/** A stream with an answer and this text, sent unchanged, as its use. */
const withUsage = (usage: string): ModelReply => ({
  stream: `${text('Answer')}${stop}data: {"id":"c","choices":[],"usage":${usage}}\n\n${done}`,
})
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const call = (name: string, input: string): ModelReply => ({ toolCalls: [{ name, input }] })

/** Every misbehaviour of the model server, by name. */
export const modelMisbehaviours = {
  connectionClose: { step: 'connection', description: 'closes it without a response', reply: { connection: 'close' } },
  connectionReset: { step: 'connection', description: 'resets it', reply: { connection: 'reset' } },
  connectionSilence: { step: 'connection', description: 'says nothing', reply: { connection: 'silence' } },
  statusUnauthorized: { step: 'status', description: 'answers 401', reply: { status: 401 } },
  statusNotFound: { step: 'status', description: 'answers 404', reply: { status: 404 } },
  statusRedirect: {
    step: 'status',
    description: 'redirects to another address',
    reply: { status: 302, headers: { location: 'http://169.254.169.254/' } },
  },
  statusLongPause: {
    step: 'status',
    description: 'answers 429 and asks for an hour',
    reply: { status: 429, headers: { 'retry-after': '3600' } },
  },
  statusOddPause: {
    step: 'status',
    description: 'answers 500 with a Retry-After that is no time, and NUL in the message',
    reply: { status: 500, headers: { 'retry-after': '-1e9' }, body: { error: { message: 'a\0b \ud800 c' } } },
  },
  streamHtml: { step: 'stream', description: 'sends a page', reply: { body: '<html>login</html>' } },
  streamNoJson: { step: 'stream', description: 'sends chunks that are no JSON', reply: { stream: 'data: {oops\n\n' } },
  streamEmpty: { step: 'stream', description: 'ends at once', reply: { stream: '' } },
  streamCut: { step: 'stream', description: 'cuts it', reply: { text: ['a', 'b'], after: { chunks: 2, end: 'cut' } } },
  streamStall: { step: 'stream', description: 'stalls', reply: { text: 'a', after: { chunks: 2, end: 'stall' } } },
  streamError: {
    step: 'stream',
    description: 'sends an error with NUL in the middle',
    reply: { stream: `${text('Half')}data: {"error":{"message":"out of \\u0000 memory"}}\n\n` },
  },
  streamNoEnd: { step: 'stream', description: 'ends without a reason', reply: { stream: text('Half') } },
  textNul: { step: 'text', description: 'writes NUL', reply: { text: 'Ans\0wer' } },
  textHalfPair: { step: 'text', description: 'writes half a surrogate pair', reply: { text: ['Answer', '\ud83d'] } },
  textSplitPair: {
    step: 'text',
    description: 'divides a surrogate pair between two chunks',
    reply: { text: ['Answer \ud83d', '\ude00'] },
  },
  textTwoChoices: {
    step: 'text',
    description: 'writes two answers at once',
    reply: {
      stream: `${text('Ans')}${chunk({ index: 1, delta: { content: 'No' } })}${text('wer')}${chunk({ index: 1, delta: {}, finish_reason: 'length' })}${stop}${done}`,
    },
  },
  textThinking: {
    step: 'text',
    description: 'writes reasoning in `<think>`',
    reply: { text: ['<thi', 'nk>Hm</th', 'ink>\n\nAnswer'] },
  },
  textThinkingWithoutBegin: {
    step: 'text',
    description: 'writes reasoning that ends without a beginning',
    reply: { text: ['Hm, let me see\n', '</think>\n\nAnswer'] },
  },
  textHuge: {
    step: 'text',
    description: 'writes 250,000 characters',
    reply: { text: Array(50).fill('x'.repeat(5_000)) },
  },
  textOnlyReasoning: { step: 'text', description: 'writes reasoning alone', reply: { reasoning: 'Hm' } },
  textNothing: { step: 'text', description: 'writes nothing', reply: {} },
  callUnknown: { step: 'tool call', description: 'calls a tool that does not exist', reply: call('rm\0rf', '{}') },
  callNoJson: {
    step: 'tool call',
    description: 'sends an input that is no JSON',
    reply: call('list_sources', '{oops'),
  },
  callNul: {
    step: 'tool call',
    description: 'sends an input with NUL and half a surrogate pair',
    reply: call('search_data', '{"query":"a\\u0000b\\ud800"}'),
  },
  callDeep: {
    step: 'tool call',
    description: 'nests an input 3,000 levels deep',
    reply: call('search_data', nested(3_000)),
  },
  callLong: {
    step: 'tool call',
    description: 'sends an input of 40,000 bytes',
    reply: call('search_data', JSON.stringify({ query: 'x'.repeat(40_000) })),
  },
  callMany: {
    step: 'tool call',
    description: 'calls 40 tools at once',
    reply: { toolCalls: Array(40).fill({ name: 'list_sources', input: {} }) },
  },
  endLength: { step: 'end', description: 'ends with `length`', reply: { text: 'Half', finishReason: 'length' } },
  endFilter: {
    step: 'end',
    description: 'ends with `content_filter`',
    reply: { text: 'Half', finishReason: 'content_filter' },
  },
  endUnknown: {
    step: 'end',
    description: 'ends with an unknown reason',
    reply: { text: 'Half', finishReason: 'eos\0' },
  },
  usageNull: { step: 'usage', description: 'null', reply: withUsage('null') },
  usageNullMembers: {
    step: 'usage',
    description: 'null members',
    reply: withUsage('{"prompt_tokens":null,"completion_tokens":null}'),
  },
  usageFloat: {
    step: 'usage',
    description: 'fractions',
    reply: withUsage('{"prompt_tokens":7.5,"completion_tokens":5.25}'),
  },
  usageNegative: {
    step: 'usage',
    description: 'negative numbers',
    reply: withUsage('{"prompt_tokens":-1,"completion_tokens":-5}'),
  },
  usageHuge: {
    step: 'usage',
    description: 'numbers beyond every model',
    reply: withUsage('{"prompt_tokens":1e30,"completion_tokens":9007199254740991}'),
  },
  usageText: {
    step: 'usage',
    description: 'numbers as text',
    reply: withUsage('{"prompt_tokens":"7","completion_tokens":"5"}'),
  },
  usageArray: { step: 'usage', description: 'a list', reply: withUsage('[1,2]') },
  usageZero: {
    step: 'usage',
    description: '0 for an answer',
    reply: withUsage('{"prompt_tokens":0,"completion_tokens":0}'),
  },
} as const satisfies Record<string, ModelMisbehaviour>

export type ModelMisbehaviourName = keyof typeof modelMisbehaviours
