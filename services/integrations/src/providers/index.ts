import type { IntegrationProvider } from '@wp/contracts'
import { github } from './catalog/github.ts'
import { google } from './catalog/google.ts'
import { http } from './catalog/http.ts'
import { mcpServer } from './catalog/mcp-server.ts'
import { openaiCompatible } from './catalog/openai-compatible.ts'
import { postgres } from './catalog/postgres.ts'
import { s3 } from './catalog/s3.ts'
import { slack } from './catalog/slack.ts'
import { smtp } from './catalog/smtp.ts'
import type { Provider } from './provider.ts'

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
