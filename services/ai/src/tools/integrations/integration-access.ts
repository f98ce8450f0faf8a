import { type IntegrationProvider, integrationsInternal, Problem, type WorkspaceCaller } from '@wp/contracts'
import { redactIntegrationSecrets } from '@wp/outbound'
import type { Context } from '../../context.ts'
import { aboutCaller, createUseReporter } from '../../models/usage.ts'
import { ToolFailure } from '../tool.ts'

export type AccessContext = Pick<Context, 'internal' | 'outbound' | 'protocols' | 'log'>

/** An integration that a tool uses, with its secrets. */
export interface IntegrationAccess {
  name: string
  config: Record<string, unknown>
  secrets: Record<string, string>
  /** Reports the status of a response; undefined if there was none. */
  report(status: number | undefined, message: string): void
}

/**
 * Reads configuration and secrets of an integration of the workspace, on behalf of the caller of the run.
 * @throws ToolFailure if it does not exist, is disconnected or is of another provider, or the caller may not use it;
 *   Problem `service_unavailable`
 */
export async function openIntegration(
  { internal, log }: AccessContext,
  caller: WorkspaceCaller,
  integrationId: string,
  provider: IntegrationProvider,
): Promise<IntegrationAccess> {
  const about = aboutCaller(caller)
  const input = { params: { integration_id: integrationId } }
  const resolved = await internal
    .callForCaller(caller, 'integrations:read', integrationsInternal.resolveSecret, input)
    .catch((error: unknown) => {
      throw error instanceof Problem && error.status < 500 ? toFailure(error) : error
    })
  if (resolved.provider !== provider)
    throw new ToolFailure(`The integration ${integrationId} is not of the provider ${provider}`)
  const { name, config, secrets, revision } = resolved
  return { name, config, secrets, report: createUseReporter({ internal, log, about, integrationId, revision }) }
}

const toFailure = (error: Problem): ToolFailure => new ToolFailure(reasonOf(error), { cause: error })

function reasonOf({ code }: Problem): string {
  if (code === 'missing_scope') return 'The caller of the run does not have the scope integrations:read'
  return code === 'integration_disconnected'
    ? 'The integration of this tool is disconnected'
    : 'The integration of this tool no longer exists'
}

/** Creates a function that removes the secrets of an integration from a text, which may have been cut off. */
export const createRedaction =
  (secrets: Readonly<Record<string, string>>) =>
  (text: string, isTruncated = false): string =>
    redactIntegrationSecrets(Object.values(secrets), { user: secrets.username, isTruncated })(text)
