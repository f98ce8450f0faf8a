import { useBaseUrl, useCan } from '../session/workspace-context.tsx'
import { AreaTabs } from '../shell/area-tabs.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Card, Page, Stack } from '../ui/page/page.tsx'
import { CodeBlock, Snippets } from '../ui/values/code-block.tsx'
import { SafeLink } from '../ui/values/values.tsx'
import { mcpAddress, mcpSnippets } from './shared/snippets.ts'

/** The address for AI clients, and how to connect some of them. */
export function McpPage() {
  const baseUrl = useBaseUrl()
  const can = useCan()
  return (
    <Page
      title="Developer"
      description="AI clients such as Claude and Cursor search records, read forecasts and run assistants by the Model Context Protocol."
      actions={
        can('auth:keys') && (
          <ButtonLink icon="plus" to="/$workspaceId/developer" search={{ create: 'key' }}>
            Create API key
          </ButtonLink>
        )
      }
    >
      <AreaTabs area="Developer" />
      <Card title="Address" description="Streamable HTTP">
        <CodeBlock code={mcpAddress(baseUrl)} label="Address" wrap />
      </Card>
      <Card title="Connect a client">
        <Stack>
          <p>
            A client that can sign in, such as Claude, needs the address only. Others send an API key, which needs the
            scope “Use tools” and the scope of each tool that it calls.
          </p>
          <Snippets snippets={mcpSnippets(baseUrl)} label="Connect a client" />
          <p>
            <SafeLink address={`${baseUrl}/docs/mcp`}>All tools, and other clients</SafeLink>
          </p>
        </Stack>
      </Card>
    </Page>
  )
}
