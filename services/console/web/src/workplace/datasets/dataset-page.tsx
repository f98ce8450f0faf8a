import { Page } from '../../ui/page/page.tsx'

/** A dataset: rows used and not used, and the values of its spaces and teams. */
export const DatasetPage = () => <Page title="Dataset">{null}</Page>
