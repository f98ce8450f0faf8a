import { useMutation } from '@tanstack/react-query'
import { ApiError } from '@wp/client/browser'
import { useEffect, useRef, useState } from 'react'
import { downloadText } from '../../api/download-file.ts'
import { useApi, useBaseUrl, useWorkspaceId } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Textarea } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { formatNumber } from '../../ui/format/format.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { Card, Cluster, Page, Stack } from '../../ui/page/page.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { DefinitionList, Id, Time } from '../../ui/values/values.tsx'
import { CheckResult } from './check-result.tsx'
import { type ChainCheck, progressOf, verifyChain } from './verify-chain.ts'

/** Verification of the chain, and heads signed for later. */
export function VerifyPage() {
  const workspaceId = useWorkspaceId()
  const baseUrl = useBaseUrl()
  return (
    <Page
      title="Audit log"
      description="Recomputes the hash of every record and its link to the one before. It finds records that were altered, removed or added."
    >
      <AreaTabs area="Audit log" />
      <VerifyCard key={workspaceId} />
      <SignedHeadCard />
      <Card title="Verify by the API" description="For a check that runs on a schedule.">
        <CodeBlock label="Command" code={`curl -sS "${baseUrl}/v1/audit/logs/verify" -H "x-api-key: $WP_API_KEY"`} />
      </Card>
    </Page>
  )
}

/** Signs the head of the chain, to be kept outside the platform. */
function SignedHeadCard() {
  const api = useApi()
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => api.audit.readHead() })
  return (
    <Card
      title="Signed head"
      description="Proves later that no record up to now was changed. Keep the token outside the platform."
      actions={
        <>
          {data && (
            <Button
              icon="download"
              onClick={() => downloadText(data.token, `audit-head-${data.seq}.jwt`, 'application/jwt')}
            >
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

/** Starts a verification and shows its progress and its result. */
function VerifyCard() {
  const { check, error, isRunning, start, stop } = useChainCheck()
  const [token, setToken] = useState('')
  const headError = headErrorOf(error)
  return (
    <Card title="Verify the chain">
      <Stack>
        <Field
          label="Signed head"
          isOptional
          hint="The token of a head that you kept. With it, the check also shows that nothing up to that head was changed since."
          error={headError}
        >
          <Textarea
            isMono
            rows={2}
            value={token}
            placeholder="eyJ…"
            onChange={({ target }) => setToken(target.value)}
          />
        </Field>
        <Cluster>
          <Button variant="primary" isBusy={isRunning} onClick={() => void start(token.trim() || undefined)}>
            {check === undefined || isRunning ? 'Verify the chain' : 'Verify again'}
          </Button>
          {isRunning && <Button onClick={stop}>Stop</Button>}
        </Cluster>
        {error !== undefined && headError === undefined && (
          <ErrorMessage error={error} onRetry={() => void start(token.trim() || undefined)} />
        )}
        {check && (isRunning || check.status === 'running') && (
          <Progress
            value={progressOf(check)}
            label={isRunning ? 'Verifying' : 'Stopped'}
            text={`${formatNumber(check.checked)} of ${formatNumber(check.lastSeq - (check.anchor?.seq ?? 0))} records`}
          />
        )}
      </Stack>
      <div aria-live="polite">
        {check && (check.status !== 'running' || check.problemCount > 0) && (
          <div style={{ marginTop: 'var(--space-4)' }}>
            <CheckResult check={check} />
          </div>
        )}
      </div>
    </Card>
  )
}

const headErrorOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.errors.find(({ pointer }) => pointer === '?head')?.detail : undefined

/** A verification of the chain that a person starts and can stop. */
function useChainCheck() {
  const api = useApi()
  const [check, setCheck] = useState<ChainCheck>()
  const [error, setError] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (headToken: string | undefined) => {
    const controller = new AbortController()
    const { signal } = controller
    running.current?.abort()
    running.current = controller
    setCheck(undefined)
    setError(undefined)
    setRunning(true)
    try {
      const states = verifyChain({
        readHead: () => api.audit.readHead({}, { signal }),
        verifyPart: (query) => api.audit.verifyLogs({ query }, { signal }),
        headToken,
      })
      for await (const state of states) setCheck(state)
    } catch (failure) {
      if (!signal.aborted) setError(failure)
    } finally {
      if (running.current === controller) setRunning(false)
    }
  }
  return { check, error, isRunning, start, stop: () => running.current?.abort() }
}
