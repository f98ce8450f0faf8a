import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { responseFailure } from './model-failure.ts'
import { createModelFetch, type ModelFetchOptions } from './model-fetch.ts'
import { toModelUsage } from './usage.ts'

interface ProviderModelOptions extends Omit<ModelFetchOptions, 'secret'> {
  baseUrl: string
  apiKey: string | undefined
  modelId: string
}

/**
 * Creates a model of an OpenAI-compatible provider. Its errors are JobFailures, whether a call rejects, its stream
 * fails, or the stream has a part `error`; an aborted call rejects with the reason of its signal.
 */
export function createProviderModel({ baseUrl, apiKey, modelId, ...options }: ProviderModelOptions): LanguageModelV4 {
  const { name } = options
  const { supportedUrls, ...model } = openCompatibleModel()
  return {
    specificationVersion: 'v4',
    provider: name,
    modelId,
    supportedUrls,
    doGenerate: async (call) => model.doGenerate(call).catch((error: unknown) => rethrow(name, error, call)),
    async doStream(call) {
      const result = await model.doStream(call).catch((error: unknown) => rethrow(name, error, call))
      return { ...result, stream: ReadableStream.from(readParts(name, result.stream, call)) }
    },
  }

  function openCompatibleModel() {
    const fetch = createModelFetch({ ...options, secret: apiKey })
    const provider = createOpenAICompatible({
      name: 'model',
      baseURL: baseUrl,
      fetch,
      includeUsage: true,
      convertUsage: toModelUsage,
      ...(apiKey === undefined ? {} : { apiKey }),
    })
    const model = provider.chatModel(modelId)
    return {
      supportedUrls: model.supportedUrls,
      doGenerate: async (call: LanguageModelV4CallOptions) => model.doGenerate(call),
      doStream: async (call: LanguageModelV4CallOptions) => model.doStream(call),
    }
  }
}

function rethrow(name: string, error: unknown, { abortSignal }: LanguageModelV4CallOptions): never {
  abortSignal?.throwIfAborted()
  throw responseFailure(name, error)
}

/** Ends a stream that fails with a part `error`. @throws the reason of the signal, if the call is aborted */
async function* readParts(
  name: string,
  stream: ReadableStream<LanguageModelV4StreamPart>,
  { abortSignal }: LanguageModelV4CallOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  try {
    for await (const part of stream)
      yield part.type === 'error' ? { type: 'error', error: responseFailure(name, part.error) } : part
  } catch (error) {
    abortSignal?.throwIfAborted()
    yield { type: 'error', error: responseFailure(name, error) }
  }
}
