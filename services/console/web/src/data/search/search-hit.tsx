import type { Client } from '@wp/client/browser'
import { useState } from 'react'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { SafeLink } from '../../ui/values/values.tsx'
import { isHash } from '../shared/record-name.ts'
import styles from './search.module.css'
import type { SearchMode } from './search-params.ts'
import { fieldsWithWords, matchedWords, splitHighlights, type TextPart } from './split-highlights.ts'

const shownHashLength = 6

type Hit = Awaited<ReturnType<Client['data']['searchRecords']>>['items'][number]

/** A found record: title, the part of its text that matches best, and why it matched. */
export function SearchHit({ hit, mode, sourceName }: { hit: Hit; mode: SearchMode; sourceName: string | undefined }) {
  const title = splitHighlights(hit.title ?? '')
  const snippet = splitHighlights(hit.snippet ?? '')
  return (
    <li className={styles.hit}>
      <h2>
        <Link
          to="/$workspaceId/data/records/$recordId"
          params={{ recordId: hit.record_id }}
          className={styles.title}
          data-hit=""
        >
          {title.length === 0 ? nameWithoutTitle(hit.key) : <Marked parts={title} />}
        </Link>
      </h2>
      {snippet.length > 0 && (
        <p className={styles.snippet}>
          <Marked parts={snippet} />
        </p>
      )}
      <div className={styles.origin}>
        {sourceName !== undefined && (
          <Link to="/$workspaceId/data/$sourceId" params={{ sourceId: hit.data_source_id }}>
            {sourceName}
          </Link>
        )}
        {hit.url !== null && <SafeLink address={hit.url} />}
        {hit.score > 0 && <Reason hit={hit} mode={mode} title={title} snippet={snippet} />}
      </div>
    </li>
  )
}

/** A key that the platform made of the content of a row is no name. */
const nameWithoutTitle = (key: string): string => (isHash(key) ? `Row ${key.slice(0, shownHashLength)}` : key)

const Marked = ({ parts }: { parts: readonly TextPart[] }) =>
  parts.map(({ text, isMarked }, index) => {
    const key = `${index} ${text}`
    return isMarked ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>
  })

interface ReasonProps {
  hit: Hit
  mode: SearchMode
  title: readonly TextPart[]
  snippet: readonly TextPart[]
}

const scoreWords: Readonly<Record<SearchMode, string>> = {
  lexical: 'by frequency and rarity of the words (BM25); a word of the title counts twice',
  semantic: 'cosine similarity of the query and the nearest part of the record',
  hybrid: 'the similarity, and the part of the query that the words match',
}

/** Says why a record matched: words, where they are, and the score. The fields are read when it is opened. */
function Reason({ hit, mode, title, snippet }: ReasonProps) {
  const [isOpen, setOpen] = useState(false)
  const words = matchedWords(title, snippet)
  const { data: record } = useApiQuery(
    ['data', 'record', hit.record_id],
    (api, options) => api.data.getRecord({ params: { record_id: hit.record_id } }, options),
    { enabled: isOpen && words.length > 0 },
  )
  const fields = record === undefined ? [] : fieldsWithWords(record.data, words)
  const places = [matchedWords(title).length > 0 && 'title', matchedWords(snippet).length > 0 && 'text'].filter(Boolean)
  return (
    <details className={styles.reason} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Why it matched</summary>
      <dl>
        <dt>Words</dt>
        <dd>
          {words.length > 0
            ? words.map(isolate).join(', ')
            : mode === 'lexical'
              ? 'other forms of the words'
              : 'none: it matched by meaning'}
          {places.length > 0 && ` (${places.join(' and ')})`}
        </dd>
        {fields.length > 0 && (
          <>
            <dt>Fields</dt>
            <dd>{fields.map(isolate).join(', ')}</dd>
          </>
        )}
        <dt>Score</dt>
        <dd>
          {hit.score.toPrecision(3)}, {scoreWords[mode]}
        </dd>
      </dl>
    </details>
  )
}
