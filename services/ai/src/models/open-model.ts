import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Model, WorkspaceCaller } from '@wp/contracts'
import { pause } from '@wp/runtime'
import type { Context } from '../context.ts'
import { createLocalModel } from './local/local-model.ts'
import { modelRejected, responseFailure } from './model-failure.ts'
import { createModelFetch, type ModelFetchOptions } from './model-fetch.ts'
import { freeOfCharge, type ModelPrice } from './price.ts'
import { listProviderModels } from './provider-models.ts'
import { type ModelAuthority, resolveProvider } from './resolve-integration.ts'
import { aboutCaller, createUseReporter, toModelUsage } from './usage.ts'

/** The part of the context that models need. */
export type ModelContext = Pick<Context, 'config' | 'internal' | 'modelTransports' | 'log' | 'now'>

/** A model, and what a call of it costs. */
export interface OpenedModel {
  model: LanguageModelV4
  /** Null if no price is stated. */
  price: ModelPrice | null
}

/**
 * Opens the model of a run. All providers have the interface of the AI SDK. Requests that fail temporarily before there
 * is a response are repeated inside, so the SDK needs no retries of its own.
 *
 * @param isNamedByAgent true if the author of an agent has chosen the model, and not the caller
 * @throws JobFailure `model_rejected` if the model cannot be used, `model_unavailable` if its provider cannot be
 *   reached; Problem `service_unavailable`
 */
export async function openModel(
  context: ModelContext,
  model: Model,
  caller: WorkspaceCaller,
  { isNamedByAgent }: { isNamedByAgent: boolean },
): Promise<OpenedModel> {
  switch (model.provider) {
    case 'local':
      return { model: createLocalModel({ now: context.now }), price: freeOfCharge }
    case 'default':
      return { model: openDefaultModel(context), price: context.config.AI_MODEL_PRICE ?? null }
    default:
      return openIntegrationModel(context, model, model.provider, authorityOf(caller, isNamedByAgent))
  }
}

export const defaultModelName = 'The default model'

function openDefaultModel({ config, modelTransports, log, now }: ModelContext): LanguageModelV4 {
  const { AI_BASE_URL: baseUrl, AI_API_KEY: apiKey, AI_MODEL: modelId } = config
  if (baseUrl === undefined || modelId === undefined)
    throw modelRejected('The operator has configured no default model')
  return createProviderModel({
    name: defaultModelName,
    baseUrl,
    apiKey,
    modelId,
    now,
    pause,
    transport: modelTransports.direct,
    onResponse(status, message) {
      if (message !== '') log.warn({ event: 'default_model.failed', status }, 'request to the default model failed')
    },
  })
}

async function openIntegrationModel(
  { internal, modelTransports, log, now }: ModelContext,
  { id }: Model,
  integrationId: string,
  authority: ModelAuthority,
): Promise<OpenedModel> {
  const { baseUrl, models, prices, apiKey, revision } = await resolveProvider(internal, authority, integrationId)
  const about = authority.type === 'caller' ? aboutCaller(authority.caller) : authority.about
  const options: Omit<ModelFetchOptions, 'secret'> = {
    name: 'The model provider',
    transport: modelTransports.guarded,
    onResponse: createUseReporter({ internal, log, about, integrationId, revision }),
    pause,
    now,
  }
  if (id !== undefined && models.length > 0 && !models.includes(id))
    throw modelRejected(`The integration does not allow the model ${id}`)
  const modelId = id ?? models[0] ?? (await firstModel({ ...options, baseUrl, apiKey }))
  const model = createProviderModel({ ...options, baseUrl, apiKey, modelId })
  return { model, price: prices.get(modelId) ?? null }
}

function authorityOf(caller: WorkspaceCaller, isNamedByAgent: boolean): ModelAuthority {
  return isNamedByAgent ? { type: 'author', about: aboutCaller(caller) } : { type: 'caller', caller }
}

async function firstModel(options: Parameters<typeof listProviderModels>[0]): Promise<string> {
  const [first] = await listProviderModels(options)
  if (first === undefined) throw modelRejected(`${options.name} lists no models; name one in \`model.id\``)
  return first
}

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
