import type { AuditDoc } from '@wp/contracts'
import type { z } from 'zod'
import { formatBytes, formatName, formatNumber } from '../../ui/format/format.ts'
import { Card, Stack } from '../../ui/page/page.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { DefinitionList, Id, Time } from '../../ui/values/values.tsx'

type Doc = z.infer<typeof AuditDoc>

/** Shows the range of an export and the hashes that prove its content. */
export function ExportDetails({ doc }: { doc: Doc }) {
  const { id, from, to, filters, status, created_at, finished_at } = doc
  return (
    <>
      <Card title="Content">
        <DefinitionList
          items={[
            ['Id', <Id key="id" value={id} />],
            ['From', <Time key="from" value={from} format="absolute" />],
            ['Before', <Time key="to" value={to} format="absolute" />],
            ...Object.entries(filters).map(
              ([name, value]) => [formatName(name), <code key={name}>{value}</code>] as const,
            ),
            ['Started', <Time key="started" value={created_at} format="absolute" />],
            finished_at !== null && ['Ended', <Time key="ended" value={finished_at} format="absolute" />],
          ]}
        />
      </Card>
      {status === 'finished' && <FileCard doc={doc} />}
    </>
  )
}

function FileCard({ doc }: { doc: Doc }) {
  const { record_count: count, bytes, sha256, first_seq, last_seq, first_hash, last_hash, expires_at } = doc
  return (
    <Card
      title="File"
      description="The checksum proves the file. The hashes of the first and last record tie it to the chain."
    >
      <Stack>
        <DefinitionList
          items={[
            ['Records', count === null ? null : formatNumber(count)],
            ['Size', bytes === null ? null : formatBytes(bytes)],
            first_seq !== null &&
              last_seq !== null && ['Positions', `${formatNumber(first_seq)} to ${formatNumber(last_seq)}`],
            sha256 !== null && ['SHA-256', <Id key="sha" value={sha256} label="Copy SHA-256" />],
            first_hash !== null && ['First hash', <Id key="first" value={first_hash} label="Copy first hash" />],
            last_hash !== null && ['Last hash', <Id key="last" value={last_hash} label="Copy last hash" />],
            ['Expires', <Time key="expires" value={expires_at} format="absolute" />],
          ]}
        />
        {sha256 !== null && <CodeBlock label="Command" code={`sha256sum --check <<< "${sha256}  <file>"`} wrap />}
      </Stack>
    </Card>
  )
}
