import { type IntegrationProvider, integrationsInternal, Problem, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../../context.ts'
import { createUseReporter } from '../../models/usage/report-use.ts'
import { ToolFailure } from '../tool.ts'

export type AccessContext = Pick<Context, 'internal' | 'outbound' | 'protocols' | 'log'>

/** An integration that a tool uses, with its secrets. */
export interface IntegrationAccess {
  config: Record<string, unknown>
  secrets: Record<string, string>
  /** Reports the status of a response; undefined if there was none. */
  report(status: number | undefined, message: string): void
}

const aboutCaller = ({ workspaceId, requestId, traceparent }: WorkspaceCaller) => ({
  ...{ workspaceId, requestId },
  ...(traceparent === undefined ? {} : { traceparent }),
})

/**
 * Reads configuration and secrets of an integration of the workspace.
 * @throws ToolFailure if it does not exist, is disconnected or is of another provider; Problem `service_unavailable`
 */
export async function openIntegration(
  { internal, log }: AccessContext,
  caller: WorkspaceCaller,
  integrationId: string,
  provider: IntegrationProvider,
): Promise<IntegrationAccess> {
  const about = aboutCaller(caller)
  const params = { integration_id: integrationId }
  const resolved = await internal
    .callAsSystem(integrationsInternal.resolveSecret, about, { params, query: {}, body: undefined })
    .catch((error: unknown) => {
      throw error instanceof Problem && error.status < 500 ? toFailure(error) : error
    })
  if (resolved.provider !== provider)
    throw new ToolFailure(`The integration ${integrationId} is not of the provider ${provider}`)
  const { config, secrets, revision } = resolved
  return { config, secrets, report: createUseReporter({ internal, log, about, integrationId, revision }) }
}

const toFailure = (error: Problem): ToolFailure =>
  new ToolFailure(
    error.code === 'integration_disconnected'
      ? 'The integration of this tool is disconnected'
      : 'The integration of this tool no longer exists',
    { cause: error },
  )
