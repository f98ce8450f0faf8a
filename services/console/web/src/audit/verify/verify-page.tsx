import { useBaseUrl } from '../../session/use-base-url.ts'
import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { AuditTabs } from '../audit-tabs.tsx'
import { SignedHeadCard } from './signed-head-card.tsx'
import { VerifyCard } from './verify-card.tsx'

/** Verification of the chain, and heads signed for later. */
export function VerifyPage() {
  const workspaceId = useWorkspaceId()
  const baseUrl = useBaseUrl()
  return (
    <Page
      title="Audit log"
      description="Recomputes the hash of every record and its link to the one before. It finds records that were altered, removed or added."
    >
      <AuditTabs />
      <VerifyCard key={workspaceId} />
      <SignedHeadCard />
      <Card title="Verify by the API" description="For a check that runs on a schedule.">
        <CodeBlock
          label="Command"
          code={`curl -sS "${baseUrl}/v1/audit/logs/verify" -H "x-api-key: $PLATFORM_API_KEY"`}
        />
      </Card>
    </Page>
  )
}
