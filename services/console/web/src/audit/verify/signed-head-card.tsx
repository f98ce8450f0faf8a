import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/button/icon.tsx'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { DefinitionList } from '../../ui/data/definition-list.tsx'
import { Id } from '../../ui/data/id.tsx'
import { Time } from '../../ui/data/time.tsx'
import { downloadText } from '../../ui/dialog/download-text.ts'
import { formatNumber } from '../../ui/format/format.ts'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'

/** Signs the head of the chain, to be kept outside the platform. */
export function SignedHeadCard() {
  const api = useApi()
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => api.audit.readHead() })
  return (
    <Card
      title="Signed head"
      description="Proves later that no record up to now was changed. Keep the token outside the platform."
      actions={
        <>
          {data && (
            <Button onClick={() => downloadText(data.token, `audit-head-${data.seq}.jwt`, 'application/jwt')}>
              <Icon name="download" size={16} />
              Download token
            </Button>
          )}
          <Button isBusy={isPending} onClick={() => mutate()}>
            Sign the head
          </Button>
        </>
      }
    >
      {error && <ErrorMessage error={error} onRetry={() => mutate()} />}
      {data ? (
        <Stack>
          <DefinitionList
            items={[
              ['Position', formatNumber(data.seq)],
              ['Hash', <Id key="hash" value={data.hash} label="Copy hash" />],
              ['Signed', <Time key="signed" value={data.signed_at} format="absolute" />],
            ]}
          />
          <CodeBlock code={data.token} label="Token" wrap />
        </Stack>
      ) : (
        !error && (
          <p>The head is the position and the hash of the last record. It is signed with a key of the audit log.</p>
        )
      )}
    </Card>
  )
}
