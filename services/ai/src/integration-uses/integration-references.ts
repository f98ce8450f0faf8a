import { type Integration, type IntegrationProvider, invalidField, Problem, problem } from '@wp/contracts'
import type { z } from 'zod'
import type { VersionContent } from '../store/version-content.ts'

/** A use of an integration by the content of a version, and the field of the request that names it. */
export interface IntegrationReference {
  integrationId: string
  /** The provider that the integration must have. */
  provider: IntegrationProvider
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
          pointer: `/tools/${position}/integration_id`,
        },
  )
  const { provider } = model
  if (provider === 'local' || provider === 'default') return ofTools
  return [...ofTools, { integrationId: provider, provider: 'openai_compatible', pointer: '/model/provider' }]
}

/** Returns the ids of the integrations that tools and model use, each once. */
export const integrationIdsOf = (content: Referring): string[] => [
  ...new Set(integrationReferences(content).map(({ integrationId }) => integrationId)),
]

/** The fields of a request that set references. */
interface GivenFields {
  model?: { provider?: string | undefined } | undefined
  tools?: unknown
}

/**
 * Returns the references that a request adds.
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
  const keyOf = ({ integrationId, provider }: IntegrationReference) => `${integrationId} ${provider}`
  const known = new Set(before === undefined ? [] : integrationReferences(before).map(keyOf))
  return integrationReferences(after)
    .filter((reference) => !known.has(keyOf(reference)))
    .map((reference) => {
      const isGiven =
        reference.pointer === '/model/provider' ? given.model?.provider !== undefined : given.tools !== undefined
      return isGiven ? reference : { ...reference, pointer: blueprintPointer }
    })
}

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
