import {
  type Integration,
  type IntegrationProvider,
  type IntegrationTool,
  invalidField,
  Problem,
  problem,
} from '@wp/contracts'
import type { z } from 'zod'
import type { VersionContent } from '../store/version-content.ts'

/** A use of an integration by the content of a version, and the field of the request that names it. */
export interface IntegrationReference {
  integrationId: string
  /** The provider that the integration must have. */
  provider: IntegrationProvider
  /** The part of the integration that is used: a model, methods, or tools of a server. Empty: the default. */
  part: string
  pointer: string
}

type Referring = Pick<VersionContent, 'model' | 'tools'>

const toolProviders = { http: 'http', mcp_server: 'mcp_server' } as const satisfies Record<string, IntegrationProvider>

/** Returns the integrations that tools and model use. The pointers are those of a request with these fields. */
export function integrationReferences({ model, tools }: Referring): IntegrationReference[] {
  const ofTools = tools.flatMap((tool, position) =>
    typeof tool === 'string'
      ? []
      : {
          integrationId: tool.integration_id,
          provider: toolProviders[tool.type],
          part: partOf(tool),
          pointer: `/tools/${position}/integration_id`,
        },
  )
  const { provider, id: part = '' } = model
  if (provider === 'local' || provider === 'default') return ofTools
  return [...ofTools, { integrationId: provider, provider: 'openai_compatible', part, pointer: '/model/provider' }]
}

function partOf({ type, methods = ['GET'], tools }: IntegrationTool): string {
  const names = type === 'http' ? methods : tools
  return names === undefined ? '' : JSON.stringify([...names].sort())
}

/** Returns the ids of the integrations that tools and model use, each once. */
export const integrationIdsOf = (content: Referring): string[] => [
  ...new Set(integrationReferences(content).map(({ integrationId }) => integrationId)),
]

/** The fields of a request that set references. */
interface GivenFields {
  model?: { provider?: string | undefined; id?: string | null | undefined } | undefined
  tools?: unknown
}

/**
 * Returns the references that a request adds, or whose part of the integration it changes: who chooses another model,
 * method or tool of an integration must be permitted to use it, as who chooses the integration.
 * @param before the content before the change; undefined if there was none
 * @param given the fields of the request: what they do not set comes from a blueprint
 * @param blueprintPointer the field of the request that names the blueprint
 */
export function addedReferences(
  after: Referring,
  before: Referring | undefined,
  given: GivenFields,
  blueprintPointer: string,
): IntegrationReference[] {
  const known = before === undefined ? [] : integrationReferences(before)
  return withoutReferences(integrationReferences(after), known).map((reference) => {
    const isGiven = reference.pointer === '/model/provider' ? hasModel(given) : given.tools !== undefined
    return isGiven ? reference : { ...reference, pointer: blueprintPointer }
  })
}

/** Returns the references that are not among others. */
export function withoutReferences(
  references: readonly IntegrationReference[],
  others: readonly IntegrationReference[],
): IntegrationReference[] {
  const keyOf = ({ integrationId, provider, part }: IntegrationReference) => `${integrationId} ${provider} ${part}`
  const keys = new Set(others.map(keyOf))
  return references.filter((reference) => !keys.has(keyOf(reference)))
}

const hasModel = ({ model }: GivenFields) => model?.provider !== undefined || model?.id !== undefined

/** Asserts that an integration can be used as a reference demands. @throws Problem `validation_failed` */
export function assertSuitable(
  { provider, status, integration_id: id }: z.output<typeof Integration>,
  reference: IntegrationReference,
): void {
  if (provider !== reference.provider)
    throw invalidField(
      reference.pointer,
      `must name integrations of the provider ${reference.provider}; ${id} is of the provider ${provider}`,
    )
  if (status === 'disconnected') throw invalidField(reference.pointer, `the integration ${id} is disconnected`)
}

/** Converts an error of the integrations service to one about a reference. */
export function toReferenceProblem(error: unknown, { integrationId, pointer }: IntegrationReference): unknown {
  if (!(error instanceof Problem)) return error
  if (error.code === 'not_found')
    return invalidField(pointer, `${integrationId} is not an integration of this workspace`, 'unknown_reference')
  if (error.status < 500) return error
  return problem('service_unavailable', {
    detail: 'The integrations service is unavailable; retry shortly',
    cause: error,
  })
}
