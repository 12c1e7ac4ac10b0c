-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "AnalysisStatus" AS ENUM ('queued', 'running', 'completed', 'completed_with_gaps', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "SlideFindingKind" AS ENUM ('description', 'feedback', 'steering_attempt');

-- CreateEnum
CREATE TYPE "EvidenceVerdict" AS ENUM ('verified', 'unverified', 'contradicted');

-- CreateEnum
CREATE TYPE "ModelCallState" AS ENUM ('planned', 'stored', 'failed', 'cancelled');

-- CreateTable
CREATE TABLE "Tenant" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "seedSha256" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Deck" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "sizeBytes" INTEGER NOT NULL,
    "pageCount" INTEGER,
    "title" TEXT,
    "hasTextLayer" BOOLEAN,
    "hazards" TEXT[],
    "probedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Deck_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Slide" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "deckId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "renderKey" TEXT NOT NULL,
    "renderer" TEXT,
    "widthPx" INTEGER,
    "heightPx" INTEGER,
    "text" TEXT NOT NULL,
    "artefactBlobKey" TEXT,
    "modelBlobKey" TEXT,
    "modelSha256" TEXT,
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Slide_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Analysis" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "deckId" TEXT NOT NULL,
    "taskType" TEXT,
    "language" TEXT NOT NULL,
    "modelProfile" TEXT NOT NULL,
    "priority" INTEGER NOT NULL DEFAULT 3,
    "requestedTemplate" TEXT,
    "status" "AnalysisStatus" NOT NULL DEFAULT 'queued',
    "stage" TEXT,
    "workflowId" TEXT NOT NULL,
    "templateVersionId" TEXT,
    "templateReason" TEXT,
    "engineName" TEXT,
    "engineKind" TEXT,
    "engineVersion" TEXT,
    "overallScore" DOUBLE PRECISION,
    "scoreMethod" TEXT,
    "scoredQuestions" INTEGER NOT NULL DEFAULT 0,
    "askedQuestions" INTEGER NOT NULL DEFAULT 0,
    "slidesTotal" INTEGER NOT NULL DEFAULT 0,
    "condensed" BOOLEAN NOT NULL DEFAULT false,
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "Analysis_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SlideFinding" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "slideNumber" INTEGER NOT NULL,
    "kind" "SlideFindingKind" NOT NULL,
    "legible" BOOLEAN NOT NULL DEFAULT true,
    "title" TEXT,
    "visibleText" TEXT,
    "summary" TEXT,
    "hasIssues" BOOLEAN,
    "feedback" TEXT,
    "steeringText" TEXT,
    "modelResultId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SlideFinding_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SlideFigure" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "findingId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "description" TEXT NOT NULL,

    CONSTRAINT "SlideFigure_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Extraction" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "raw" TEXT,
    "amount" DECIMAL(20,2),
    "currency" TEXT,
    "isoDate" TEXT,
    "reason" TEXT,
    "modelResultId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Extraction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Classification" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "sectorSlug" TEXT,
    "secondarySlug" TEXT,
    "confidence" DOUBLE PRECISION,
    "confident" BOOLEAN NOT NULL DEFAULT false,
    "reasoning" TEXT,
    "keywords" TEXT[],
    "reason" TEXT,
    "modelResultId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Classification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Answer" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "questionId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "covered" TEXT,
    "answer" TEXT,
    "reason" TEXT,
    "modelResultId" TEXT,
    "scoreStatus" TEXT,
    "score" INTEGER,
    "rationale" TEXT,
    "scoreReason" TEXT,
    "scoreModelResultId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Answer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ChapterScore" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "chapterId" TEXT NOT NULL,
    "score" DOUBLE PRECISION,
    "scored" INTEGER NOT NULL,
    "asked" INTEGER NOT NULL,

    CONSTRAINT "ChapterScore_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SpecialisedAnalysis" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "covered" TEXT,
    "summary" TEXT,
    "reason" TEXT,
    "modelResultId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SpecialisedAnalysis_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SpecialisedPoint" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "specialisedId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "heading" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "SpecialisedPoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Evidence" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "extractionId" TEXT,
    "answerId" TEXT,
    "specialisedId" TEXT,
    "position" INTEGER NOT NULL,
    "slideNumber" INTEGER NOT NULL,
    "quote" TEXT NOT NULL,
    "verdict" "EvidenceVerdict" NOT NULL,
    "reason" TEXT,

    CONSTRAINT "Evidence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Gap" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "item" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "slideNumber" INTEGER,
    "questionSlug" TEXT,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Gap_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Template" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Template_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TemplateVersion" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "templateId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "TemplateVersion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Chapter" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "templateVersionId" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "position" INTEGER NOT NULL,

    CONSTRAINT "Chapter_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Question" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "chapterId" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "criteria" TEXT NOT NULL,
    "healthFocus" TEXT NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "position" INTEGER NOT NULL,

    CONSTRAINT "Question_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Sector" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "minConfidencePercent" INTEGER,
    "keywords" TEXT[],
    "subcategories" TEXT[],
    "isHealth" BOOLEAN NOT NULL,
    "templateId" TEXT,
    "templateReason" TEXT NOT NULL,

    CONSTRAINT "Sector_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Prompt" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "activeVersion" INTEGER NOT NULL,

    CONSTRAINT "Prompt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PromptVersion" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "promptId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PromptVersion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ModelConfiguration" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "profile" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "modelName" TEXT NOT NULL,
    "pinnedDigest" TEXT,
    "pinnedAt" TIMESTAMP(3),
    "numCtx" INTEGER NOT NULL,
    "numPredict" INTEGER NOT NULL,
    "temperature" DOUBLE PRECISION NOT NULL,
    "topP" DOUBLE PRECISION NOT NULL,
    "attemptTimeoutMs" INTEGER NOT NULL,
    "idleTokenTimeoutMs" INTEGER NOT NULL,
    "loadTimeoutMs" INTEGER NOT NULL,

    CONSTRAINT "ModelConfiguration_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ModelCall" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "contentKey" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "gpuClass" TEXT NOT NULL,
    "priority" INTEGER NOT NULL,
    "expectedSeconds" INTEGER NOT NULL,
    "slideNumber" INTEGER,
    "questionId" TEXT,
    "state" "ModelCallState" NOT NULL DEFAULT 'planned',
    "cached" BOOLEAN NOT NULL DEFAULT false,
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "ModelCall_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ModelResult" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "contentKey" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "modelName" TEXT NOT NULL,
    "modelDigest" TEXT NOT NULL,
    "promptVersion" INTEGER NOT NULL,
    "language" TEXT NOT NULL,
    "numCtx" INTEGER NOT NULL,
    "numPredict" INTEGER NOT NULL,
    "temperature" DOUBLE PRECISION NOT NULL,
    "topP" DOUBLE PRECISION NOT NULL,
    "temperatureUsed" DOUBLE PRECISION NOT NULL,
    "seedUsed" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL,
    "output" TEXT NOT NULL,
    "engineKind" TEXT NOT NULL,
    "serverVersion" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "promptTokens" INTEGER NOT NULL,
    "outputTokens" INTEGER NOT NULL,
    "loadMs" INTEGER NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ModelResult_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Deck_tenantId_createdAt_idx" ON "Deck"("tenantId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Deck_tenantId_sha256_key" ON "Deck"("tenantId", "sha256");

-- CreateIndex
CREATE INDEX "Slide_tenantId_idx" ON "Slide"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "Slide_deckId_renderKey_number_key" ON "Slide"("deckId", "renderKey", "number");

-- CreateIndex
CREATE INDEX "Analysis_tenantId_createdAt_idx" ON "Analysis"("tenantId", "createdAt");

-- CreateIndex
CREATE INDEX "Analysis_deckId_createdAt_idx" ON "Analysis"("deckId", "createdAt");

-- CreateIndex
CREATE INDEX "Analysis_status_idx" ON "Analysis"("status");

-- CreateIndex
CREATE INDEX "SlideFinding_tenantId_idx" ON "SlideFinding"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "SlideFinding_analysisId_slideNumber_kind_key" ON "SlideFinding"("analysisId", "slideNumber", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "SlideFigure_findingId_position_key" ON "SlideFigure"("findingId", "position");

-- CreateIndex
CREATE INDEX "Extraction_tenantId_idx" ON "Extraction"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "Extraction_analysisId_field_key" ON "Extraction"("analysisId", "field");

-- CreateIndex
CREATE UNIQUE INDEX "Classification_analysisId_key" ON "Classification"("analysisId");

-- CreateIndex
CREATE INDEX "Classification_tenantId_idx" ON "Classification"("tenantId");

-- CreateIndex
CREATE INDEX "Answer_tenantId_idx" ON "Answer"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "Answer_analysisId_questionId_key" ON "Answer"("analysisId", "questionId");

-- CreateIndex
CREATE INDEX "ChapterScore_tenantId_idx" ON "ChapterScore"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "ChapterScore_analysisId_chapterId_key" ON "ChapterScore"("analysisId", "chapterId");

-- CreateIndex
CREATE INDEX "SpecialisedAnalysis_tenantId_idx" ON "SpecialisedAnalysis"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "SpecialisedAnalysis_analysisId_kind_key" ON "SpecialisedAnalysis"("analysisId", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "SpecialisedPoint_specialisedId_position_key" ON "SpecialisedPoint"("specialisedId", "position");

-- CreateIndex
CREATE INDEX "Evidence_extractionId_idx" ON "Evidence"("extractionId");

-- CreateIndex
CREATE INDEX "Evidence_answerId_idx" ON "Evidence"("answerId");

-- CreateIndex
CREATE INDEX "Evidence_specialisedId_idx" ON "Evidence"("specialisedId");

-- CreateIndex
CREATE INDEX "Evidence_tenantId_idx" ON "Evidence"("tenantId");

-- CreateIndex
CREATE INDEX "Gap_tenantId_idx" ON "Gap"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "Gap_analysisId_item_key" ON "Gap"("analysisId", "item");

-- CreateIndex
CREATE UNIQUE INDEX "Template_tenantId_slug_key" ON "Template"("tenantId", "slug");

-- CreateIndex
CREATE INDEX "TemplateVersion_tenantId_idx" ON "TemplateVersion"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "TemplateVersion_templateId_version_key" ON "TemplateVersion"("templateId", "version");

-- CreateIndex
CREATE INDEX "Chapter_tenantId_idx" ON "Chapter"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "Chapter_templateVersionId_slug_key" ON "Chapter"("templateVersionId", "slug");

-- CreateIndex
CREATE INDEX "Question_tenantId_idx" ON "Question"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "Question_chapterId_slug_key" ON "Question"("chapterId", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "Sector_tenantId_slug_key" ON "Sector"("tenantId", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "Prompt_tenantId_task_key" ON "Prompt"("tenantId", "task");

-- CreateIndex
CREATE INDEX "PromptVersion_tenantId_idx" ON "PromptVersion"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "PromptVersion_promptId_version_key" ON "PromptVersion"("promptId", "version");

-- CreateIndex
CREATE UNIQUE INDEX "ModelConfiguration_tenantId_profile_task_key" ON "ModelConfiguration"("tenantId", "profile", "task");

-- CreateIndex
CREATE INDEX "ModelCall_state_gpuClass_priority_idx" ON "ModelCall"("state", "gpuClass", "priority");

-- CreateIndex
CREATE INDEX "ModelCall_tenantId_idx" ON "ModelCall"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "ModelCall_analysisId_contentKey_key" ON "ModelCall"("analysisId", "contentKey");

-- CreateIndex
CREATE UNIQUE INDEX "ModelResult_tenantId_contentKey_key" ON "ModelResult"("tenantId", "contentKey");

-- AddForeignKey
ALTER TABLE "Slide" ADD CONSTRAINT "Slide_deckId_fkey" FOREIGN KEY ("deckId") REFERENCES "Deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Analysis" ADD CONSTRAINT "Analysis_deckId_fkey" FOREIGN KEY ("deckId") REFERENCES "Deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Analysis" ADD CONSTRAINT "Analysis_templateVersionId_fkey" FOREIGN KEY ("templateVersionId") REFERENCES "TemplateVersion"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SlideFinding" ADD CONSTRAINT "SlideFinding_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SlideFinding" ADD CONSTRAINT "SlideFinding_modelResultId_fkey" FOREIGN KEY ("modelResultId") REFERENCES "ModelResult"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SlideFigure" ADD CONSTRAINT "SlideFigure_findingId_fkey" FOREIGN KEY ("findingId") REFERENCES "SlideFinding"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Extraction" ADD CONSTRAINT "Extraction_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Extraction" ADD CONSTRAINT "Extraction_modelResultId_fkey" FOREIGN KEY ("modelResultId") REFERENCES "ModelResult"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Classification" ADD CONSTRAINT "Classification_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Classification" ADD CONSTRAINT "Classification_modelResultId_fkey" FOREIGN KEY ("modelResultId") REFERENCES "ModelResult"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Answer" ADD CONSTRAINT "Answer_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Answer" ADD CONSTRAINT "Answer_questionId_fkey" FOREIGN KEY ("questionId") REFERENCES "Question"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Answer" ADD CONSTRAINT "Answer_modelResultId_fkey" FOREIGN KEY ("modelResultId") REFERENCES "ModelResult"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Answer" ADD CONSTRAINT "Answer_scoreModelResultId_fkey" FOREIGN KEY ("scoreModelResultId") REFERENCES "ModelResult"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChapterScore" ADD CONSTRAINT "ChapterScore_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChapterScore" ADD CONSTRAINT "ChapterScore_chapterId_fkey" FOREIGN KEY ("chapterId") REFERENCES "Chapter"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SpecialisedAnalysis" ADD CONSTRAINT "SpecialisedAnalysis_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SpecialisedAnalysis" ADD CONSTRAINT "SpecialisedAnalysis_modelResultId_fkey" FOREIGN KEY ("modelResultId") REFERENCES "ModelResult"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SpecialisedPoint" ADD CONSTRAINT "SpecialisedPoint_specialisedId_fkey" FOREIGN KEY ("specialisedId") REFERENCES "SpecialisedAnalysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Evidence" ADD CONSTRAINT "Evidence_extractionId_fkey" FOREIGN KEY ("extractionId") REFERENCES "Extraction"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Evidence" ADD CONSTRAINT "Evidence_answerId_fkey" FOREIGN KEY ("answerId") REFERENCES "Answer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Evidence" ADD CONSTRAINT "Evidence_specialisedId_fkey" FOREIGN KEY ("specialisedId") REFERENCES "SpecialisedAnalysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Gap" ADD CONSTRAINT "Gap_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TemplateVersion" ADD CONSTRAINT "TemplateVersion_templateId_fkey" FOREIGN KEY ("templateId") REFERENCES "Template"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Chapter" ADD CONSTRAINT "Chapter_templateVersionId_fkey" FOREIGN KEY ("templateVersionId") REFERENCES "TemplateVersion"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Question" ADD CONSTRAINT "Question_chapterId_fkey" FOREIGN KEY ("chapterId") REFERENCES "Chapter"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Sector" ADD CONSTRAINT "Sector_templateId_fkey" FOREIGN KEY ("templateId") REFERENCES "Template"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PromptVersion" ADD CONSTRAINT "PromptVersion_promptId_fkey" FOREIGN KEY ("promptId") REFERENCES "Prompt"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ModelCall" ADD CONSTRAINT "ModelCall_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Versions of templates and prompts never change once written: results refer to them.
-- The driver adapter splits scripts at every semicolon, quoted or not, so those of the body are written \x3b.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
E'BEGIN RAISE EXCEPTION \'% rows are immutable: write a new version\', TG_TABLE_NAME USING ERRCODE = \'restrict_violation\'\x3b END';

CREATE TRIGGER template_version_immutable BEFORE UPDATE OR DELETE ON "TemplateVersion" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chapter_immutable BEFORE UPDATE OR DELETE ON "Chapter" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER question_immutable BEFORE UPDATE OR DELETE ON "Question" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER prompt_version_immutable BEFORE UPDATE OR DELETE ON "PromptVersion" FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Scores are 0 to 7, confidences 0 to 1.
ALTER TABLE "Answer" ADD CONSTRAINT "Answer_score_range" CHECK ("score" BETWEEN 0 AND 7);
ALTER TABLE "Classification" ADD CONSTRAINT "Classification_confidence_range" CHECK ("confidence" BETWEEN 0 AND 1);
-- A quote belongs to exactly one claim.
ALTER TABLE "Evidence" ADD CONSTRAINT "Evidence_one_owner" CHECK (num_nonnulls("extractionId", "answerId", "specialisedId") = 1);
