import type { ModelReply } from './model-reply.ts'

/** A way in which a real provider differs from OpenAI's API, with the answers of the fake server that have it. */
export interface ProviderQuirk {
  /** The servers that have it. */
  server: string
  /** The quirk in words, as the documentation lists it. */
  description: string
  /** The answers to the requests of a run, in order; the last one again to all others. */
  replies: readonly ModelReply[]
}

const event = (document: unknown) => `data: ${JSON.stringify(document)}\n\n`
const chunk = (choice: object, more: object = {}) =>
  event({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, ...choice }], ...more })
const text = (content: unknown) => chunk({ delta: { role: 'assistant', content } })
const stop = chunk({ delta: {}, finish_reason: 'stop' })
const done = 'data: [DONE]\n\n'
const answer: ModelReply = { text: 'Answer' }
const stream = (...events: string[]): ModelReply => ({ stream: events.join('') })
/** Two calls of tools in these deltas, and a second step with the answer. */
const calls = (deltas: readonly object[], reason = 'tool_calls'): readonly ModelReply[] => [
  stream(
    ...deltas.map((delta) => chunk({ delta: { tool_calls: [delta] } })),
    chunk({ delta: {}, finish_reason: reason }),
    done,
  ),
  answer,
]
const search = (query: string) => JSON.stringify({ query })
const searching = (query: string) => ({ name: 'search_data', arguments: search(query) })
const refusing = (message: string, status = 400): ModelReply => ({ status, body: { error: { message } } })

/** The quirks by name. */
export const providerQuirks = {
  usageWithoutChoices: {
    server: 'OpenAI, Azure',
    description: 'reports the use in a chunk whose `choices` are empty, null or missing',
    replies: [
      stream(text('Answer'), stop, event({ choices: null, usage: { prompt_tokens: 7, completion_tokens: 5 } }), done),
    ],
  },
  filterResults: {
    server: 'Azure',
    description: 'begins with a chunk of filter results without a choice',
    replies: [
      stream(event({ id: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] }), text('Answer'), stop, done),
    ],
  },
  maxCompletionTokens: {
    server: 'OpenAI, Azure',
    description: 'refuses `max_tokens` and asks for `max_completion_tokens`',
    replies: [refusing("Unsupported parameter: 'max_tokens' is not supported with this model."), answer],
  },
  streamOptions: {
    server: 'Mistral, older Azure',
    description: 'refuses `stream_options`',
    replies: [
      { status: 422, body: { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] } },
      { ...answer, usage: null },
    ],
  },
  temperature: {
    server: 'OpenAI',
    description: 'refuses another `temperature` than its own',
    replies: [refusing("Unsupported value: 'temperature' does not support 0.3 with this model.")],
  },
  noCredit: {
    server: 'OpenAI',
    description: 'answers 429 with `insufficient_quota`',
    replies: [{ status: 429, body: { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } } }],
  },
  paymentRequired: {
    server: 'OpenRouter, DeepSeek',
    description: 'answers 402',
    replies: [refusing('Insufficient credits', 402)],
  },
  exactPause: {
    server: 'OpenAI, Azure',
    description: 'answers 429 with `retry-after-ms`',
    replies: [{ status: 429, headers: { 'retry-after-ms': '5', 'retry-after': '3600' } }, answer],
  },
  contextLength: {
    server: 'vLLM, llama.cpp',
    description: 'answers 400 to a prompt that is too long, without `error`',
    replies: [{ status: 400, body: { object: 'error', message: 'maximum context length is 4096 tokens', code: 400 } }],
  },
  contextLengthInList: {
    server: 'Gemini',
    description: 'sends an error in a list',
    replies: [{ status: 400, body: [{ error: { code: 400, message: 'token count exceeds', status: 'INVALID' } }] }],
  },
  notPulled: {
    server: 'Ollama',
    description: 'answers 404 for a model that was not pulled',
    replies: [refusing('model "m" not found, try pulling it first', 404)],
  },
  loading: {
    server: 'llama.cpp',
    description: 'answers 503 while it loads the model',
    replies: [refusing('Loading model', 503), answer],
  },
  comments: {
    server: 'OpenRouter',
    description: 'sends comments while the model waits',
    replies: [stream(': OPENROUTER PROCESSING\n\n', text('Ans'), ': keep-alive\n\n', text('wer'), stop, done)],
  },
  lineEnds: {
    server: 'LM Studio, proxies',
    description: 'ends lines with CRLF, without a space after `data:`',
    replies: [stream(`${text('Answer')}${stop}${done}`.replaceAll('\n', '\r\n').replaceAll('data: ', 'data:'))],
  },
  noDone: {
    server: 'Gemini',
    description: 'ends without `[DONE]`',
    replies: [stream(text('Answer'), stop)],
  },
  errorInStream: {
    server: 'OpenRouter',
    description: 'ends with an error beside a choice that has a reason',
    replies: [
      stream(
        text('Half'),
        chunk({ delta: { content: '' }, finish_reason: 'error' }, { error: { code: 502, message: 'upstream failed' } }),
        done,
      ),
    ],
  },
  errorReason: {
    server: 'OpenRouter',
    description: 'ends with the reason `error` alone',
    replies: [stream(text('Half'), chunk({ delta: {}, finish_reason: 'error' }), done)],
  },
  errorText: {
    server: 'Ollama',
    description: 'sends an error as a text in the stream',
    replies: [stream(text('Half'), event({ error: 'an error was encountered while running the model' }))],
  },
  errorObject: {
    server: 'vLLM',
    description: 'sends `object: "error"` in the stream',
    replies: [stream(text('Half'), event({ object: 'error', message: 'engine died', code: 500 }), done)],
  },
  errorWithStatus200: {
    server: 'OpenRouter',
    description: 'answers 200 with an error and no stream',
    replies: [{ body: { error: { code: 429, message: 'upstream is busy' } } }],
  },
  noStream: {
    server: 'proxies',
    description: 'answers with one document although a stream was requested',
    replies: [
      {
        body: {
          choices: [{ index: 0, message: { role: 'assistant', content: 'Answer' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 7, completion_tokens: 5 },
        },
      },
    ],
  },
  documentCut: {
    server: 'proxies',
    description: 'answers with a document that ends early',
    replies: [{ headers: { 'content-type': 'application/json' }, body: '{"choices":[{"message":{"content":"Half"' }],
  },
  emptyReason: {
    server: 'LM Studio, proxies',
    description: 'sends an empty reason with each chunk, and breaks off',
    replies: [stream(chunk({ delta: { content: 'Half' }, finish_reason: '' }))],
  },
  upperCaseReason: {
    server: 'Gemini',
    description: 'ends with `MAX_TOKENS`',
    replies: [stream(text('Half'), chunk({ delta: {}, finish_reason: 'MAX_TOKENS' }), done)],
  },
  modelLength: {
    server: 'Mistral',
    description: 'ends with `model_length`',
    replies: [stream(text('Half'), chunk({ delta: {}, finish_reason: 'model_length' }), done)],
  },
  endTurn: {
    server: 'Anthropic, Bedrock',
    description: 'ends with `end_turn`',
    replies: [stream(text('Answer'), chunk({ delta: {}, finish_reason: 'end_turn' }), done)],
  },
  otherRole: {
    server: 'Gemini',
    description: 'names the role `model`',
    replies: [stream(chunk({ delta: { role: 'model', content: 'Answer' } }), stop, done)],
  },
  contentParts: {
    server: 'Mistral',
    description: 'sends the content as a list of reasoning and text',
    replies: [
      stream(
        text([{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }]),
        text([{ type: 'text', text: 'Answer' }]),
        text(null),
        stop,
        done,
      ),
    ],
  },
  reasoningContent: {
    server: 'DeepSeek, vLLM, Groq',
    description: 'sends reasoning as `reasoning_content` or `reasoning`',
    replies: [
      stream(
        chunk({ delta: { reasoning_content: 'Hm' } }),
        chunk({ delta: { reasoning: 'Hm' } }),
        text('Answer'),
        stop,
        done,
      ),
    ],
  },
  callWithStop: {
    server: 'Ollama, Gemini',
    description: 'ends tool calls with `stop`',
    replies: calls([{ index: 0, id: 'a', function: searching('one') }], 'stop'),
  },
  callObject: {
    server: 'Ollama, proxies',
    description: 'sends the arguments as an object',
    replies: calls([{ index: 0, id: 'a', function: { name: 'search_data', arguments: { query: 'one' } } }]),
  },
  callWithoutIds: {
    server: 'Gemini, llama.cpp',
    description: 'calls two tools without index and identifier',
    replies: calls([{ function: searching('one') }, { function: searching('two') }]),
  },
  callSameIndex: {
    server: 'Ollama, Gemini',
    description: 'calls two tools with the index 0',
    replies: calls([
      { index: 0, id: 'a', function: searching('one') },
      { index: 0, id: 'b', function: searching('two') },
    ]),
  },
  callSameId: {
    server: 'vLLM',
    description: 'calls two tools with one identifier',
    replies: calls([
      { index: 0, id: 'call_1', function: searching('one') },
      { index: 1, id: 'call_1', function: searching('two') },
    ]),
  },
  callSameIndexInParts: {
    server: 'proxies',
    description: 'divides the arguments of two calls with the index 0',
    replies: calls([
      { index: 0, id: 'a', function: { name: 'search_data', arguments: '{"query":' } },
      { index: 0, function: { arguments: '"one"}' } },
      { index: 0, id: 'b', function: { name: 'search_data', arguments: '{"query":' } },
      { index: 0, function: { arguments: '"two"}' } },
    ]),
  },
  callNameRepeated: {
    server: 'vLLM',
    description: 'repeats name and identifier with each part of the arguments',
    replies: calls([
      { index: 0, id: 'a', function: { name: 'search_data', arguments: '{"query":' } },
      { index: 0, id: 'a', function: { name: 'search_data', arguments: '"one"}' } },
    ]),
  },
  callWithoutArguments: {
    server: 'vLLM, LM Studio',
    description: 'sends no arguments to a tool that needs none',
    replies: calls([{ index: 0, id: 'a', function: { name: 'list_sources', arguments: null } }]),
  },
  callCut: {
    server: 'all',
    description: 'ends within the arguments of a call with `length`',
    replies: calls([{ index: 0, id: 'a', function: { name: 'search_data', arguments: '{"query":"on' } }], 'length'),
  },
  legacyCall: {
    server: 'older servers',
    description: 'calls with `function_call`',
    replies: [
      stream(
        chunk({ delta: { function_call: searching('one') } }),
        chunk({ delta: {}, finish_reason: 'function_call' }),
        done,
      ),
      answer,
    ],
  },
} as const satisfies Record<string, ProviderQuirk>

export type ProviderQuirkName = keyof typeof providerQuirks
