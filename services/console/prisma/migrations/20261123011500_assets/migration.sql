-- CreateTable
CREATE TABLE "assets" (
    "name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "gzip" BYTEA,
    "brotli" BYTEA,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assets_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "assets_expiry" ON "assets"("used_at");
