import type { IntegrationProvider } from '@wp/contracts'
import { github } from './github.ts'
import { google } from './google.ts'
import { http } from './http.ts'
import { mcpServer } from './mcp-server.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { postgres } from './postgres.ts'
import type { Provider } from './provider.ts'
import { s3 } from './s3.ts'
import { slack } from './slack.ts'
import { smtp } from './smtp.ts'

/** Every provider, in the order of the catalogue. */
export const providers: Readonly<Record<IntegrationProvider, Provider>> = {
  http,
  postgres,
  s3,
  smtp,
  slack,
  openai_compatible: openaiCompatible,
  mcp_server: mcpServer,
  google,
  github,
}
