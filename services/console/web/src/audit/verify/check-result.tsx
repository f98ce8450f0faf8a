import { Link } from '../../ui/button/button-link.tsx'
import { formatCount, formatNumber } from '../../ui/format/format.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { Badge, Time } from '../../ui/values/values.tsx'
import type { ChainCheck, SignedHeadResult } from './verify-chain.ts'

type Problem = ChainCheck['problems'][number]

/** The result of a verification, also while it is incomplete. */
export function CheckResult({ check }: { check: ChainCheck }) {
  const { status, signedHead, problemCount, problems, anchor, erased } = check
  return (
    <Stack>
      {status === 'ok' && <Intact check={check} />}
      {problemCount > 0 && <Broken check={check} />}
      {status !== 'running' && signedHead && <SignedHead result={signedHead} />}
      {status !== 'running' && anchor && (
        <Callout title={`Records up to position ${formatNumber(anchor.seq)} were cut after their retention`}>
          The chain begins at a signed anchor, made <Time value={anchor.cut_at} />.
        </Callout>
      )}
      {status !== 'running' && erased > 0 && (
        <p>Personal data was erased from {formatCount(erased, 'record')}, which does not break the chain.</p>
      )}
      {problems.length > 0 && (
        <>
          <DataTable
            label="Problems of the chain"
            columns={columns}
            rows={problems}
            rowKey={({ seq, kind, detail }) => `${seq} ${kind} ${detail}`}
            empty={null}
          />
          {problemCount > problems.length && (
            <p>
              {formatNumber(problems.length)} of {formatNumber(problemCount)} problems are shown.
            </p>
          )}
        </>
      )}
    </Stack>
  )
}

const Intact = ({ check: { checked, intactSeq } }: { check: ChainCheck }) => (
  <Callout tone="success" title="The chain is intact">
    {intactSeq === undefined
      ? 'There is no record yet.'
      : `All ${formatCount(checked, 'record')} up to position ${formatNumber(intactSeq)} are unchanged and linked.`}
  </Callout>
)

const Broken = ({ check: { problemCount, problems, intactSeq } }: { check: ChainCheck }) => (
  <Callout
    tone="danger"
    title={
      problems[0] === undefined
        ? 'The chain is broken'
        : `The chain is broken at position ${formatNumber(problems[0].seq)}`
    }
  >
    {formatCount(problemCount, 'problem')}.{' '}
    {intactSeq !== undefined && intactSeq > 0 && `Records up to position ${formatNumber(intactSeq)} are intact.`}
  </Callout>
)

const headResults = {
  confirmed: ['success', 'The signed head is confirmed', 'No record up to it was changed since it was signed.'],
  contradicted: ['danger', 'The signed head is contradicted', 'Records up to it were changed after it was signed.'],
  cut: ['warning', 'The record of the signed head was cut', 'It is older than the retention of the log.'],
  not_checked: ['warning', 'The signed head was not checked', 'Its position is beyond the end of the chain.'],
} as const satisfies Record<SignedHeadResult['status'], readonly [string, string, string]>

function SignedHead({ result: { status, seq, signed_at } }: { result: SignedHeadResult }) {
  const [tone, title, text] = headResults[status]
  return (
    <Callout tone={tone} title={title}>
      {text} Position {formatNumber(seq)}, signed <Time value={signed_at} />.
    </Callout>
  )
}

const columns: Column<Problem>[] = [
  { header: 'Position', cell: ({ seq }) => formatNumber(seq), isNarrow: true },
  { header: 'Problem', cell: ({ kind }) => <Badge tone="danger">{kind}</Badge>, isNarrow: true },
  { header: 'Detail', cell: ({ detail }) => detail },
  { header: 'Record', cell: ({ id }) => (id === null ? 'None' : <RecordLink id={id} />) },
]

function RecordLink({ id }: { id: string }) {
  return (
    <Link to="/$workspaceId/audit/$logId" params={{ logId: id }}>
      <code>{id}</code>
    </Link>
  )
}
