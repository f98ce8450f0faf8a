import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../../ui/form/filter-bar.tsx'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { Card } from '../../ui/page/page.tsx'
import { useEmbedding } from '../shared/embedding-card.tsx'
import type { Source } from '../shared/queries.ts'
import styles from './search.module.css'
import type { SearchMode, SearchParams } from './search-params.ts'

const modes: readonly { value: SearchMode; label: string }[] = [
  { value: 'lexical', label: 'Words' },
  { value: 'semantic', label: 'Meaning' },
  { value: 'hybrid', label: 'Both' },
]

/** The query, the source to search, and how to search where the workspace has embeddings. */
export function SearchBar({
  params,
  sources,
  onChange,
}: {
  params: SearchParams
  sources: readonly Source[]
  onChange: (part: Partial<Record<keyof SearchParams, unknown>>) => void
}) {
  const workspaceId = useWorkspaceId()
  const { data: embedding } = useEmbedding()
  const setQuery = useCallback((q: string | undefined) => onChange({ q }), [onChange])
  const isChosen = embedding !== undefined && embedding.status !== 'off'
  return (
    <Card isFlush>
      <FilterBar onClear={params.filters && (() => onChange({ filters: undefined }))}>
        <TextFilter
          label="Query"
          isSearch
          value={params.q}
          onChange={setQuery}
          placeholder="Words, or a phrase in double quotes"
        />
        <SelectFilter
          label="Source"
          value={params.source}
          onChange={(source) => onChange({ source, filters: undefined })}
          options={sources.map(({ data_source_id, name }) => ({ value: data_source_id, label: name }))}
          all="All sources"
        />
      </FilterBar>
      <div className={styles.mode}>
        {isChosen ? (
          <>
            <span aria-hidden="true">Match by</span>
            <Segmented
              label="Match by"
              options={modes}
              value={params.mode ?? 'lexical'}
              onChange={(mode) => onChange({ mode: mode === 'lexical' ? undefined : mode })}
            />
            {embedding.records.pending > 0 && <span>{embedding.records.pending} records are not embedded yet</span>}
          </>
        ) : (
          <p>
            Matches by words. To match by meaning too,{' '}
            <Link to="/$workspaceId/data" params={{ workspaceId }}>
              choose an embedding model
            </Link>
            .
          </p>
        )}
      </div>
    </Card>
  )
}
