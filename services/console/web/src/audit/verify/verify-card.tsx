import { ApiError } from '@wp/client/browser'
import { useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Progress } from '../../ui/data/progress.tsx'
import { Textarea } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { formatNumber } from '../../ui/format/format.ts'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Card, Cluster, Stack } from '../../ui/page/page.tsx'
import { CheckResult } from './check-result.tsx'
import { useChainCheck } from './use-chain-check.ts'
import { progressOf } from './verify-chain.ts'

/** Starts a verification and shows its progress and its result. */
export function VerifyCard() {
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
