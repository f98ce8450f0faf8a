-- Why the answer of a run ended. Null unless the run finished, and for runs of earlier releases.
ALTER TABLE "runs" ADD COLUMN "finish_reason" TEXT;
