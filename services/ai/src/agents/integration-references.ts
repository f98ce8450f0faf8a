import {
  type IntegrationProvider,
  type IntegrationTool,
  integrations,
  Problem,
  type RequestCaller,
  type WorkspaceCaller,
} from '@wp/contracts'
import { newId } from '@wp/database'
import { requireScope } from '@wp/service'
import {
  assertSuitable,
  createIntegrationUses,
  type IntegrationReference,
  toIntegrationProblem,
} from '@wp/service/integration-uses'
import type { Context } from '../context.ts'
import { findAndLockAgent } from '../store/agents/agents.ts'
import type { Client } from '../store/client.ts'
import type { VersionContent } from '../store/version-content.ts'

/** The uses of integrations by agents. */
export const { changeWithIntegrations, enqueueRelease, releaseJobs } = createIntegrationUses<Client>({
  service: 'ai',
  type: 'agent',
  purpose: 'Giving an agent integrations',
  newJobId: () => newId('agt'),
  async lockUse(tx, { resourceId: agentId, integrationId }) {
    const workspaceId = tx.workspaceId ?? ''
    try {
      const { content } = await findAndLockAgent(tx, workspaceId, agentId, 'share')
      return integrationIdsOf(content).includes(integrationId)
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return false
      throw error
    }
  },
})

/** A use of an integration by the content of a version, and the field of the request that names it. */
export interface PartReference extends IntegrationReference {
  /** The part of the integration that is used: a model, methods, or tools of a server. Empty: the default. */
  part: string
}

type Referring = Pick<VersionContent, 'model' | 'tools'>

const toolProviders = { http: 'http', mcp_server: 'mcp_server' } as const satisfies Record<string, IntegrationProvider>

/** Returns the integrations that tools and model use. The pointers are those of a request with these fields. */
export function integrationReferences({ model, tools }: Referring): PartReference[] {
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
): PartReference[] {
  const known = before === undefined ? [] : integrationReferences(before)
  return withoutReferences(integrationReferences(after), known).map((reference) => {
    const isGiven = reference.pointer === '/model/provider' ? hasModel(given) : given.tools !== undefined
    return isGiven ? reference : { ...reference, pointer: blueprintPointer }
  })
}

/** Returns the references that are not among others. */
export function withoutReferences(
  references: readonly PartReference[],
  others: readonly PartReference[],
): PartReference[] {
  const keyOf = ({ integrationId, provider, part }: PartReference) => `${integrationId} ${provider} ${part}`
  const keys = new Set(others.map(keyOf))
  return references.filter((reference) => !keys.has(keyOf(reference)))
}

const hasModel = ({ model }: GivenFields) => model?.provider !== undefined || model?.id !== undefined

/**
 * Asserts that integrations exist and are suitable. Registers no use: a blueprint does not keep an integration from
 * being deleted, because its versions cannot be changed. The agents that are made from it do.
 * @throws Problem `missing_scope` without `integrations:read`; 400 with a pointer; `service_unavailable`
 */
export async function checkIntegrations(
  { internal }: Pick<Context, 'internal'>,
  caller: RequestCaller<WorkspaceCaller>,
  references: readonly IntegrationReference[],
): Promise<void> {
  if (references.length === 0) return
  requireScope(caller, 'integrations:read', 'Using integrations in a blueprint')
  for (const reference of references) {
    const params = { integration_id: reference.integrationId }
    const integration = await internal.call(integrations.getIntegration, caller, { params }).catch((error: unknown) => {
      throw toIntegrationProblem(error, reference)
    })
    assertSuitable(integration, reference)
  }
}
