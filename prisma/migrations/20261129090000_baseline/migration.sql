-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "AnalysisStatus" AS ENUM ('queued', 'running', 'completed', 'completed_with_gaps', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "RolloutState" AS ENUM ('active', 'ended');

-- CreateEnum
CREATE TYPE "SlideFindingKind" AS ENUM ('description', 'feedback', 'steering_attempt');

-- CreateEnum
CREATE TYPE "EvidenceVerdict" AS ENUM ('verified', 'unverified', 'contradicted', 'glued');

-- CreateEnum
CREATE TYPE "ModelCallState" AS ENUM ('planned', 'stored', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "IntentState" AS ENUM ('creating', 'created', 'refused', 'unknown', 'gone');

-- CreateEnum
CREATE TYPE "ApiRole" AS ENUM ('analyst', 'operator');

-- CreateEnum
CREATE TYPE "DeliveryState" AS ENUM ('pending', 'delivered', 'failed');

-- CreateTable
CREATE TABLE "Tenant" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "seedSha256" TEXT,
    "fairnessWeight" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Deck" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "otherNames" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "sizeBytes" INTEGER NOT NULL,
    "pageCount" INTEGER,
    "title" TEXT,
    "hasTextLayer" BOOLEAN,
    "language" TEXT,
    "hazards" TEXT[],
    "probedAt" TIMESTAMP(3),
    "deletingAt" TIMESTAMP(3),
    "uploadedBy" TEXT,
    "companyId" TEXT,
    "companyBy" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Deck_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Company" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Company_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CompanyKey" (
    "tenantId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "companyId" TEXT NOT NULL,

    CONSTRAINT "CompanyKey_pkey" PRIMARY KEY ("tenantId","kind","value")
);

-- CreateTable
CREATE TABLE "HumanVerdict" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "deckId" TEXT NOT NULL,
    "sequence" SERIAL NOT NULL,
    "analysisId" TEXT,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "item" TEXT NOT NULL DEFAULT '',
    "text" TEXT,
    "amount" DECIMAL(20,2),
    "currency" TEXT,
    "isoDate" TEXT,
    "score" INTEGER,
    "reason" TEXT,
    "machineText" TEXT,
    "machineScore" INTEGER,
    "authorKeyId" TEXT,
    "authorName" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "HumanVerdict_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SavedView" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SavedView_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SignInLink" (
    "tokenSha256" TEXT NOT NULL,
    "apiKeyId" TEXT NOT NULL,
    "next" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SignInLink_pkey" PRIMARY KEY ("tokenSha256")
);

-- CreateTable
CREATE TABLE "DeckEntry" (
    "deckId" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "fileName" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "deletingAt" TIMESTAMP(3),
    "pageCount" INTEGER,
    "companyId" TEXT,
    "company" TEXT,
    "offering" TEXT,
    "sector" TEXT,
    "askAmount" DECIMAL(20,2),
    "askCurrency" TEXT,
    "askText" TEXT,
    "deckDate" TEXT,
    "analysisId" TEXT,
    "status" TEXT NOT NULL,
    "stage" TEXT,
    "priority" INTEGER,
    "pausedAt" TIMESTAMP(3),
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "language" TEXT,
    "engineKind" TEXT,
    "resultAnalysisId" TEXT,
    "score" DOUBLE PRECISION,
    "machineScore" DOUBLE PRECISION,
    "coverage" DOUBLE PRECISION,
    "quotes" INTEGER NOT NULL DEFAULT 0,
    "verifiedQuotes" INTEGER NOT NULL DEFAULT 0,
    "verifiedShare" DOUBLE PRECISION,
    "gaps" INTEGER NOT NULL DEFAULT 0,
    "costUsd" DECIMAL(18,9),
    "owner" TEXT,
    "assignee" TEXT,
    "decision" TEXT,
    "tags" TEXT[],
    "notes" INTEGER NOT NULL DEFAULT 0,
    "attention" TEXT[],
    "search" tsvector,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DeckEntry_pkey" PRIMARY KEY ("deckId")
);

-- CreateTable
CREATE TABLE "DeckChange" (
    "id" BIGSERIAL NOT NULL,
    "deckId" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,

    CONSTRAINT "DeckChange_pkey" PRIMARY KEY ("id")
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
    "layout" JSONB,
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
    "announcedPages" INTEGER NOT NULL DEFAULT 0,
    "condensed" BOOLEAN NOT NULL DEFAULT false,
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "replayOfId" TEXT,
    "replayKind" TEXT,
    "replayItems" TEXT[],
    "recomputeFrom" TEXT,
    "edition" TEXT,
    "rolloutId" TEXT,
    "rolloutSide" TEXT,
    "poolName" TEXT,
    "pausedAt" TIMESTAMP(3),
    "deadlineAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "Analysis_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Rollout" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "profile" TEXT,
    "pool" TEXT,
    "percent" DOUBLE PRECISION NOT NULL,
    "tenants" TEXT[],
    "state" "RolloutState" NOT NULL,
    "startedBy" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changedBy" TEXT NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedBy" TEXT,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "Rollout_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RolloutModel" (
    "rolloutId" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "modelName" TEXT NOT NULL,

    CONSTRAINT "RolloutModel_pkey" PRIMARY KEY ("rolloutId","task")
);

-- CreateTable
CREATE TABLE "ModelOverride" (
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "modelName" TEXT NOT NULL,

    CONSTRAINT "ModelOverride_pkey" PRIMARY KEY ("analysisId","task")
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
    "minAmount" DECIMAL(20,2),
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
    "state" TEXT,
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
    "state" TEXT,
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
    "recognised" BOOLEAN NOT NULL DEFAULT false,
    "boxes" JSONB,

    CONSTRAINT "Evidence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Contradiction" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "firstSlide" INTEGER NOT NULL,
    "firstQuote" TEXT NOT NULL,
    "firstValue" TEXT NOT NULL,
    "secondSlide" INTEGER NOT NULL,
    "secondQuote" TEXT NOT NULL,
    "secondValue" TEXT NOT NULL,

    CONSTRAINT "Contradiction_pkey" PRIMARY KEY ("id")
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
    "weightsGib" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "kvCacheGibPerSlot" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "languages" TEXT[] DEFAULT ARRAY[]::TEXT[],

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
    "computedWithout" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
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

-- CreateTable
CREATE TABLE "FleetPool" (
    "name" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "classes" TEXT[],
    "selector" TEXT NOT NULL,
    "min" INTEGER NOT NULL,
    "max" INTEGER NOT NULL,
    "target" INTEGER NOT NULL DEFAULT 0,
    "wish" INTEGER NOT NULL DEFAULT 0,
    "reasons" TEXT[],
    "openCalls" INTEGER NOT NULL DEFAULT 0,
    "openSeconds" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "oldestAgeMs" BIGINT,
    "nextLookAt" TIMESTAMP(3),
    "budgetMessage" TEXT,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "FleetPool_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "FleetInstance" (
    "name" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "phase" TEXT NOT NULL,
    "phaseSince" TIMESTAMP(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "offerKey" TEXT,
    "priceUsdPerHour" DECIMAL(12,6),
    "providerId" TEXT,
    "hostname" TEXT,
    "ip" TEXT,
    "simulatedModelUrl" TEXT,
    "osVolumeId" TEXT,
    "setupVersion" TEXT,
    "keptVolumeLocation" TEXT,
    "hostKeySha256" TEXT,
    "billedSince" TIMESTAMP(3),
    "readyAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "FleetInstance_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "InstanceTransition" (
    "id" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "fromPhase" TEXT,
    "toPhase" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "priceUsdPerHour" DECIMAL(12,6),
    "offerKey" TEXT,
    "providerId" TEXT,
    "volumeIds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "loadMs" INTEGER,

    CONSTRAINT "InstanceTransition_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CreateIntent" (
    "id" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "offerKey" TEXT NOT NULL,
    "priceUsdPerHour" DECIMAL(12,6) NOT NULL,
    "fromVolumeId" TEXT,
    "state" "IntentState" NOT NULL DEFAULT 'creating',
    "providerId" TEXT,
    "errorClass" TEXT,
    "message" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settledAt" TIMESTAMP(3),

    CONSTRAINT "CreateIntent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OfferBlock" (
    "scopeKey" TEXT NOT NULL,
    "errorClass" TEXT NOT NULL,
    "blockedUntil" TIMESTAMP(3) NOT NULL,
    "repeats" INTEGER NOT NULL,
    "lastFailureAt" TIMESTAMP(3) NOT NULL,
    "message" TEXT NOT NULL,

    CONSTRAINT "OfferBlock_pkey" PRIMARY KEY ("scopeKey")
);

-- CreateTable
CREATE TABLE "AvailabilitySample" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "market" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "instanceTypes" TEXT[],
    "sampledAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AvailabilitySample_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "InstanceServing" (
    "instanceName" TEXT NOT NULL,
    "gateway" TEXT NOT NULL,
    "attachment" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "message" TEXT,
    "pullPercent" DOUBLE PRECISION,
    "inFlight" INTEGER NOT NULL DEFAULT 0,
    "finishedCalls" INTEGER NOT NULL DEFAULT 0,
    "slots" INTEGER NOT NULL,
    "models" TEXT[],
    "lastCallAt" TIMESTAMP(3),
    "lastProgressAt" TIMESTAMP(3),
    "stalledInARow" INTEGER NOT NULL DEFAULT 0,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "seenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "InstanceServing_pkey" PRIMARY KEY ("instanceName")
);

-- CreateTable
CREATE TABLE "ReapCandidate" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "resourceId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "firstSeenAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "sightings" INTEGER NOT NULL,
    "reapedAt" TIMESTAMP(3),
    "message" TEXT,

    CONSTRAINT "ReapCandidate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FleetKey" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "installationId" TEXT NOT NULL,
    "providerKeyId" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "FleetKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdleGap" (
    "id" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "seconds" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "IdleGap_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RateLimit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" TIMESTAMP(3),

    CONSTRAINT "RateLimit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "ApiRole" NOT NULL,
    "prefix" TEXT NOT NULL,
    "keySha256" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiSession" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "apiKeyId" TEXT NOT NULL,
    "tokenSha256" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ApiSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Webhook" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "events" TEXT[],
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabledAt" TIMESTAMP(3),

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "webhookId" TEXT NOT NULL,
    "analysisId" TEXT,
    "alertId" TEXT,
    "costReportId" TEXT,
    "event" TEXT NOT NULL,
    "state" "DeliveryState" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastStatus" INTEGER,
    "lastError" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastTriedAt" TIMESTAMP(3),
    "deliveredAt" TIMESTAMP(3),

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CallAttempt" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "deckId" TEXT NOT NULL,
    "callId" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "modelName" TEXT NOT NULL,
    "gpuClass" TEXT NOT NULL,
    "slideNumber" INTEGER,
    "questionId" TEXT,
    "priority" INTEGER NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    "outcome" TEXT,
    "failureCode" TEXT,
    "loadMs" INTEGER NOT NULL DEFAULT 0,
    "promptTokens" INTEGER NOT NULL DEFAULT 0,
    "outputTokens" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "CallAttempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Rental" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "resourceId" TEXT NOT NULL,
    "instanceName" TEXT,
    "pool" TEXT,
    "location" TEXT,
    "instanceType" TEXT,
    "market" TEXT,
    "sizeGib" INTEGER,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "priceUsdPerHour" DECIMAL(18,9) NOT NULL,
    "onDemandUsdPerHour" DECIMAL(18,9),
    "quantumSec" INTEGER NOT NULL,
    "refundsUnused" BOOLEAN NOT NULL,
    "billedFrom" TIMESTAMP(3),
    "billedUntil" TIMESTAMP(3),
    "pauses" JSONB NOT NULL DEFAULT '[]',
    "boundsFrom" TEXT NOT NULL DEFAULT 'observed',
    "settledUntil" TIMESTAMP(3),
    "settledUsd" DECIMAL(18,9) NOT NULL DEFAULT 0,
    "entryCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closedAt" TIMESTAMP(3),

    CONSTRAINT "Rental_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LedgerEntry" (
    "id" TEXT NOT NULL,
    "rentalId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "fromAt" TIMESTAMP(3) NOT NULL,
    "untilAt" TIMESTAMP(3) NOT NULL,
    "shareSeconds" DECIMAL(18,6) NOT NULL,
    "amountUsd" DECIMAL(18,9) NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "spotSavingUsd" DECIMAL(18,9) NOT NULL DEFAULT 0,
    "provider" TEXT NOT NULL,
    "pool" TEXT,
    "instanceName" TEXT,
    "instanceType" TEXT,
    "location" TEXT,
    "market" TEXT,
    "tenantId" TEXT,
    "deckId" TEXT,
    "analysisId" TEXT,
    "task" TEXT,
    "slideNumber" INTEGER,
    "callId" TEXT,

    CONSTRAINT "LedgerEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BalanceSample" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "amount" DECIMAL(18,6) NOT NULL,
    "currency" TEXT NOT NULL,
    "sampledAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "BalanceSample_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CostReport" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "fromAt" TIMESTAMP(3) NOT NULL,
    "untilAt" TIMESTAMP(3) NOT NULL,
    "timezone" TEXT NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "totalUsd" DECIMAL(18,9) NOT NULL,
    "document" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "CostReport_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Budget" (
    "id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "scopeId" TEXT NOT NULL DEFAULT '*',
    "period" TEXT NOT NULL,
    "softUsd" DECIMAL(18,6),
    "hardUsd" DECIMAL(18,6),
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Budget_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BudgetReservation" (
    "id" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "resource" TEXT NOT NULL DEFAULT 'instance',
    "resourceId" TEXT,
    "priceUsdPerHour" DECIMAL(18,9) NOT NULL,
    "fromAt" TIMESTAMP(3) NOT NULL,
    "reservedUntil" TIMESTAMP(3) NOT NULL,
    "releasedAt" TIMESTAMP(3),

    CONSTRAINT "BudgetReservation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "InstanceHealth" (
    "instanceName" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "failure" TEXT,
    "lastSampleAt" TIMESTAMP(3),
    "lastProbeAt" TIMESTAMP(3),
    "probeMs" INTEGER,
    "baselineProbeMs" INTEGER,
    "quarantinedAt" TIMESTAMP(3),
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "InstanceHealth_pkey" PRIMARY KEY ("instanceName")
);

-- CreateTable
CREATE TABLE "HealthSample" (
    "id" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "gpuIndex" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "missing" BOOLEAN NOT NULL DEFAULT false,
    "message" TEXT,
    "level" TEXT NOT NULL,
    "utilRatio" DOUBLE PRECISION,
    "memoryUsedBytes" BIGINT,
    "memoryTotalBytes" BIGINT,
    "temperatureC" DOUBLE PRECISION,
    "slowdownMarginC" DOUBLE PRECISION,
    "throttleReasons" TEXT[],
    "xids" INTEGER[],
    "eccUncorrected" BIGINT,
    "rowRemapPending" BOOLEAN,
    "rowRemapFailed" BOOLEAN,
    "modelBytes" BIGINT,
    "modelVramBytes" BIGINT,
    "diskFreeBytes" BIGINT,
    "diskTotalBytes" BIGINT,
    "probeMs" INTEGER,

    CONSTRAINT "HealthSample_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HealthTransition" (
    "id" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "fromLevel" TEXT,
    "toLevel" TEXT NOT NULL,
    "failure" TEXT,
    "reason" TEXT NOT NULL,
    "action" TEXT NOT NULL,

    CONSTRAINT "HealthTransition_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AlertRule" (
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "comparison" TEXT NOT NULL,
    "raiseAt" DOUBLE PRECISION NOT NULL,
    "clearAt" DOUBLE PRECISION NOT NULL,
    "raiseForSec" INTEGER NOT NULL DEFAULT 0,
    "clearForSec" INTEGER NOT NULL DEFAULT 0,
    "windowSec" INTEGER NOT NULL DEFAULT 3600,
    "severity" TEXT NOT NULL,
    "advice" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AlertRule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AlertCondition" (
    "ruleId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "beyondSince" TIMESTAMP(3),
    "alertId" TEXT,
    "seenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AlertCondition_pkey" PRIMARY KEY ("ruleId","subject")
);

-- CreateTable
CREATE TABLE "Alert" (
    "id" TEXT NOT NULL,
    "ruleId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "advice" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "raisedAt" TIMESTAMP(3) NOT NULL,
    "clearedAt" TIMESTAMP(3),

    CONSTRAINT "Alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MetricMark" (
    "name" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "MetricMark_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "Deck_tenantId_createdAt_idx" ON "Deck"("tenantId", "createdAt");

-- CreateIndex
CREATE INDEX "Deck_companyId_idx" ON "Deck"("companyId");

-- CreateIndex
CREATE UNIQUE INDEX "Deck_tenantId_sha256_key" ON "Deck"("tenantId", "sha256");

-- CreateIndex
CREATE INDEX "Company_tenantId_name_idx" ON "Company"("tenantId", "name");

-- CreateIndex
CREATE INDEX "CompanyKey_companyId_idx" ON "CompanyKey"("companyId");

-- CreateIndex
CREATE INDEX "HumanVerdict_deckId_sequence_idx" ON "HumanVerdict"("deckId", "sequence");

-- CreateIndex
CREATE INDEX "HumanVerdict_tenantId_kind_sequence_idx" ON "HumanVerdict"("tenantId", "kind", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "SavedView_tenantId_name_key" ON "SavedView"("tenantId", "name");

-- CreateIndex
CREATE INDEX "SignInLink_expiresAt_idx" ON "SignInLink"("expiresAt");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_version_idx" ON "DeckEntry"("tenantId", "version");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_createdAt_deckId_idx" ON "DeckEntry"("tenantId", "createdAt", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_company_deckId_idx" ON "DeckEntry"("tenantId", "company", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_sector_deckId_idx" ON "DeckEntry"("tenantId", "sector", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_score_deckId_idx" ON "DeckEntry"("tenantId", "score", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_coverage_deckId_idx" ON "DeckEntry"("tenantId", "coverage", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_verifiedShare_deckId_idx" ON "DeckEntry"("tenantId", "verifiedShare", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_askAmount_deckId_idx" ON "DeckEntry"("tenantId", "askAmount", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_costUsd_deckId_idx" ON "DeckEntry"("tenantId", "costUsd", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_deckDate_deckId_idx" ON "DeckEntry"("tenantId", "deckDate", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_status_deckId_idx" ON "DeckEntry"("tenantId", "status", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_search_idx" ON "DeckEntry" USING GIN ("search");

-- CreateIndex
CREATE INDEX "DeckChange_tenantId_idx" ON "DeckChange"("tenantId");

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
CREATE INDEX "Analysis_replayOfId_idx" ON "Analysis"("replayOfId");

-- CreateIndex
CREATE INDEX "Analysis_createdAt_idx" ON "Analysis"("createdAt");

-- CreateIndex
CREATE INDEX "Analysis_finishedAt_idx" ON "Analysis"("finishedAt");

-- CreateIndex
CREATE INDEX "Analysis_rolloutId_idx" ON "Analysis"("rolloutId");

-- CreateIndex
CREATE UNIQUE INDEX "Rollout_name_key" ON "Rollout"("name");

-- CreateIndex
CREATE INDEX "ModelOverride_tenantId_idx" ON "ModelOverride"("tenantId");

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
CREATE INDEX "Contradiction_tenantId_idx" ON "Contradiction"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "Contradiction_analysisId_position_key" ON "Contradiction"("analysisId", "position");

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
CREATE INDEX "ModelCall_tenantId_contentKey_idx" ON "ModelCall"("tenantId", "contentKey");

-- CreateIndex
CREATE INDEX "ModelCall_finishedAt_state_cached_idx" ON "ModelCall"("finishedAt", "state", "cached");

-- CreateIndex
CREATE UNIQUE INDEX "ModelCall_analysisId_contentKey_key" ON "ModelCall"("analysisId", "contentKey");

-- CreateIndex
CREATE UNIQUE INDEX "ModelResult_tenantId_contentKey_key" ON "ModelResult"("tenantId", "contentKey");

-- CreateIndex
CREATE INDEX "FleetInstance_pool_phase_idx" ON "FleetInstance"("pool", "phase");

-- CreateIndex
CREATE INDEX "FleetInstance_providerId_idx" ON "FleetInstance"("providerId");

-- CreateIndex
CREATE INDEX "FleetInstance_endedAt_idx" ON "FleetInstance"("endedAt");

-- CreateIndex
CREATE INDEX "InstanceTransition_at_idx" ON "InstanceTransition"("at");

-- CreateIndex
CREATE UNIQUE INDEX "InstanceTransition_instanceName_position_key" ON "InstanceTransition"("instanceName", "position");

-- CreateIndex
CREATE UNIQUE INDEX "CreateIntent_hostname_key" ON "CreateIntent"("hostname");

-- CreateIndex
CREATE INDEX "CreateIntent_state_idx" ON "CreateIntent"("state");

-- CreateIndex
CREATE INDEX "CreateIntent_offerKey_createdAt_idx" ON "CreateIntent"("offerKey", "createdAt");

-- CreateIndex
CREATE INDEX "CreateIntent_createdAt_idx" ON "CreateIntent"("createdAt");

-- CreateIndex
CREATE INDEX "AvailabilitySample_provider_sampledAt_idx" ON "AvailabilitySample"("provider", "sampledAt");

-- CreateIndex
CREATE UNIQUE INDEX "ReapCandidate_provider_kind_resourceId_key" ON "ReapCandidate"("provider", "kind", "resourceId");

-- CreateIndex
CREATE UNIQUE INDEX "FleetKey_provider_installationId_key" ON "FleetKey"("provider", "installationId");

-- CreateIndex
CREATE INDEX "IdleGap_pool_startedAt_idx" ON "IdleGap"("pool", "startedAt");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_keySha256_key" ON "ApiKey"("keySha256");

-- CreateIndex
CREATE INDEX "ApiKey_tenantId_idx" ON "ApiKey"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "ApiSession_tokenSha256_key" ON "ApiSession"("tokenSha256");

-- CreateIndex
CREATE INDEX "ApiSession_tenantId_idx" ON "ApiSession"("tenantId");

-- CreateIndex
CREATE INDEX "ApiSession_expiresAt_idx" ON "ApiSession"("expiresAt");

-- CreateIndex
CREATE INDEX "Webhook_tenantId_idx" ON "Webhook"("tenantId");

-- CreateIndex
CREATE INDEX "WebhookDelivery_tenantId_createdAt_idx" ON "WebhookDelivery"("tenantId", "createdAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_state_createdAt_idx" ON "WebhookDelivery"("state", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_webhookId_analysisId_event_key" ON "WebhookDelivery"("webhookId", "analysisId", "event");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_webhookId_alertId_event_key" ON "WebhookDelivery"("webhookId", "alertId", "event");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_webhookId_costReportId_event_key" ON "WebhookDelivery"("webhookId", "costReportId", "event");

-- CreateIndex
CREATE INDEX "CallAttempt_instanceName_startedAt_idx" ON "CallAttempt"("instanceName", "startedAt");

-- CreateIndex
CREATE INDEX "CallAttempt_analysisId_startedAt_idx" ON "CallAttempt"("analysisId", "startedAt");

-- CreateIndex
CREATE INDEX "CallAttempt_startedAt_idx" ON "CallAttempt"("startedAt");

-- CreateIndex
CREATE INDEX "CallAttempt_tenantId_deckId_idx" ON "CallAttempt"("tenantId", "deckId");

-- CreateIndex
CREATE INDEX "Rental_closedAt_idx" ON "Rental"("closedAt");

-- CreateIndex
CREATE INDEX "Rental_instanceName_idx" ON "Rental"("instanceName");

-- CreateIndex
CREATE UNIQUE INDEX "Rental_provider_resource_resourceId_key" ON "Rental"("provider", "resource", "resourceId");

-- CreateIndex
CREATE INDEX "LedgerEntry_fromAt_idx" ON "LedgerEntry"("fromAt");

-- CreateIndex
CREATE INDEX "LedgerEntry_analysisId_idx" ON "LedgerEntry"("analysisId");

-- CreateIndex
CREATE INDEX "LedgerEntry_tenantId_fromAt_idx" ON "LedgerEntry"("tenantId", "fromAt");

-- CreateIndex
CREATE UNIQUE INDEX "LedgerEntry_rentalId_position_key" ON "LedgerEntry"("rentalId", "position");

-- CreateIndex
CREATE INDEX "BalanceSample_provider_sampledAt_idx" ON "BalanceSample"("provider", "sampledAt");

-- CreateIndex
CREATE INDEX "CostReport_fromAt_idx" ON "CostReport"("fromAt");

-- CreateIndex
CREATE UNIQUE INDEX "CostReport_kind_period_scope_key" ON "CostReport"("kind", "period", "scope");

-- CreateIndex
CREATE UNIQUE INDEX "Budget_scope_scopeId_period_key" ON "Budget"("scope", "scopeId", "period");

-- CreateIndex
CREATE INDEX "BudgetReservation_releasedAt_idx" ON "BudgetReservation"("releasedAt");

-- CreateIndex
CREATE INDEX "BudgetReservation_instanceName_idx" ON "BudgetReservation"("instanceName");

-- CreateIndex
CREATE INDEX "InstanceHealth_pool_idx" ON "InstanceHealth"("pool");

-- CreateIndex
CREATE INDEX "HealthSample_at_idx" ON "HealthSample"("at");

-- CreateIndex
CREATE UNIQUE INDEX "HealthSample_instanceName_at_gpuIndex_key" ON "HealthSample"("instanceName", "at", "gpuIndex");

-- CreateIndex
CREATE INDEX "HealthTransition_instanceName_at_idx" ON "HealthTransition"("instanceName", "at");

-- CreateIndex
CREATE INDEX "HealthTransition_at_idx" ON "HealthTransition"("at");

-- CreateIndex
CREATE INDEX "Alert_clearedAt_idx" ON "Alert"("clearedAt");

-- CreateIndex
CREATE INDEX "Alert_raisedAt_idx" ON "Alert"("raisedAt");

-- AddForeignKey
ALTER TABLE "Deck" ADD CONSTRAINT "Deck_companyId_fkey" FOREIGN KEY ("companyId") REFERENCES "Company"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CompanyKey" ADD CONSTRAINT "CompanyKey_companyId_fkey" FOREIGN KEY ("companyId") REFERENCES "Company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "HumanVerdict" ADD CONSTRAINT "HumanVerdict_deckId_fkey" FOREIGN KEY ("deckId") REFERENCES "Deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SignInLink" ADD CONSTRAINT "SignInLink_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeckEntry" ADD CONSTRAINT "DeckEntry_deckId_fkey" FOREIGN KEY ("deckId") REFERENCES "Deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Slide" ADD CONSTRAINT "Slide_deckId_fkey" FOREIGN KEY ("deckId") REFERENCES "Deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Analysis" ADD CONSTRAINT "Analysis_deckId_fkey" FOREIGN KEY ("deckId") REFERENCES "Deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Analysis" ADD CONSTRAINT "Analysis_templateVersionId_fkey" FOREIGN KEY ("templateVersionId") REFERENCES "TemplateVersion"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Analysis" ADD CONSTRAINT "Analysis_replayOfId_fkey" FOREIGN KEY ("replayOfId") REFERENCES "Analysis"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Analysis" ADD CONSTRAINT "Analysis_rolloutId_fkey" FOREIGN KEY ("rolloutId") REFERENCES "Rollout"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RolloutModel" ADD CONSTRAINT "RolloutModel_rolloutId_fkey" FOREIGN KEY ("rolloutId") REFERENCES "Rollout"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ModelOverride" ADD CONSTRAINT "ModelOverride_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "Contradiction" ADD CONSTRAINT "Contradiction_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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

-- AddForeignKey
ALTER TABLE "FleetInstance" ADD CONSTRAINT "FleetInstance_pool_fkey" FOREIGN KEY ("pool") REFERENCES "FleetPool"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstanceTransition" ADD CONSTRAINT "InstanceTransition_instanceName_fkey" FOREIGN KEY ("instanceName") REFERENCES "FleetInstance"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CreateIntent" ADD CONSTRAINT "CreateIntent_instanceName_fkey" FOREIGN KEY ("instanceName") REFERENCES "FleetInstance"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstanceServing" ADD CONSTRAINT "InstanceServing_instanceName_fkey" FOREIGN KEY ("instanceName") REFERENCES "FleetInstance"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiSession" ADD CONSTRAINT "ApiSession_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_alertId_fkey" FOREIGN KEY ("alertId") REFERENCES "Alert"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_costReportId_fkey" FOREIGN KEY ("costReportId") REFERENCES "CostReport"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LedgerEntry" ADD CONSTRAINT "LedgerEntry_rentalId_fkey" FOREIGN KEY ("rentalId") REFERENCES "Rental"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstanceHealth" ADD CONSTRAINT "InstanceHealth_instanceName_fkey" FOREIGN KEY ("instanceName") REFERENCES "FleetInstance"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AlertCondition" ADD CONSTRAINT "AlertCondition_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "AlertRule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Alert" ADD CONSTRAINT "Alert_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "AlertRule"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What a Prisma schema cannot say follows, written by hand.

-- Scores are 0 to 7, confidences 0 to 1.
ALTER TABLE "Answer" ADD CONSTRAINT "Answer_score_range" CHECK ("score" BETWEEN 0 AND 7);
ALTER TABLE "Classification" ADD CONSTRAINT "Classification_confidence_range" CHECK ("confidence" BETWEEN 0 AND 1);
-- A quote belongs to exactly one claim.
ALTER TABLE "Evidence" ADD CONSTRAINT "Evidence_one_owner" CHECK (num_nonnulls("extractionId", "answerId", "specialisedId") = 1);

-- Versions of templates and prompts never change once written: results refer to them. The errors are plain exceptions, because Prisma reports
-- a `restrict_violation` as a broken foreign key, without its words.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are immutable: write a new version', TG_TABLE_NAME;
END $$;

CREATE TRIGGER template_version_immutable BEFORE UPDATE OR DELETE ON "TemplateVersion" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chapter_immutable BEFORE UPDATE OR DELETE ON "Chapter" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER question_immutable BEFORE UPDATE OR DELETE ON "Question" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER prompt_version_immutable BEFORE UPDATE OR DELETE ON "PromptVersion" FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- The history of an instance is written once.
CREATE TRIGGER instance_transition_immutable BEFORE UPDATE OR DELETE ON "InstanceTransition" FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A template version is whole when it is written: chapters and questions are added in the transaction that writes the version, never later.
CREATE FUNCTION refuse_late_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  written_now boolean;
BEGIN
  IF TG_TABLE_NAME = 'Chapter' THEN
    SELECT v.xmin = pg_current_xact_id()::xid INTO written_now
      FROM "TemplateVersion" v WHERE v."id" = NEW."templateVersionId";
  ELSE
    SELECT v.xmin = pg_current_xact_id()::xid INTO written_now
      FROM "Chapter" c JOIN "TemplateVersion" v ON v."id" = c."templateVersionId" WHERE c."id" = NEW."chapterId";
  END IF;
  -- Null: there is no such version; its foreign key says so.
  IF NOT written_now THEN
    RAISE EXCEPTION '% rows belong to an immutable version: write a new version', TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER chapter_sealed BEFORE INSERT ON "Chapter" FOR EACH ROW EXECUTE FUNCTION refuse_late_part();
CREATE TRIGGER question_sealed BEFORE INSERT ON "Question" FOR EACH ROW EXECUTE FUNCTION refuse_late_part();

-- What was settled stays.
CREATE TRIGGER ledger_entry_kept BEFORE DELETE ON "LedgerEntry" FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- Whose an entry was can only be taken away, and nothing else of it changes.
CREATE TRIGGER ledger_entry_settled BEFORE UPDATE ON "LedgerEntry" FOR EACH ROW WHEN (
  ROW(OLD."id", OLD."rentalId", OLD."position", OLD."kind", OLD."fromAt", OLD."untilAt", OLD."shareSeconds", OLD."amountUsd", OLD."currency",
      OLD."spotSavingUsd", OLD."provider", OLD."pool", OLD."instanceName", OLD."instanceType", OLD."location", OLD."market", OLD."tenantId", OLD."task")
    IS DISTINCT FROM
  ROW(NEW."id", NEW."rentalId", NEW."position", NEW."kind", NEW."fromAt", NEW."untilAt", NEW."shareSeconds", NEW."amountUsd", NEW."currency",
      NEW."spotSavingUsd", NEW."provider", NEW."pool", NEW."instanceName", NEW."instanceType", NEW."location", NEW."market", NEW."tenantId", NEW."task")
  OR NEW."deckId" <> OLD."deckId" OR (NEW."deckId" IS NOT NULL AND OLD."deckId" IS NULL)
  OR NEW."analysisId" <> OLD."analysisId" OR (NEW."analysisId" IS NOT NULL AND OLD."analysisId" IS NULL)
  OR NEW."callId" <> OLD."callId" OR (NEW."callId" IS NOT NULL AND OLD."callId" IS NULL)
  OR NEW."slideNumber" <> OLD."slideNumber" OR (NEW."slideNumber" IS NOT NULL AND OLD."slideNumber" IS NULL)
) EXECUTE FUNCTION refuse_change();

-- What is rented at which price was decided when it was first seen.
CREATE TRIGGER rental_kept BEFORE DELETE ON "Rental" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER rental_frozen BEFORE UPDATE ON "Rental" FOR EACH ROW WHEN (
  ROW(OLD."id", OLD."provider", OLD."resource", OLD."resourceId", OLD."currency", OLD."priceUsdPerHour", OLD."onDemandUsdPerHour", OLD."quantumSec", OLD."refundsUnused")
    IS DISTINCT FROM
  ROW(NEW."id", NEW."provider", NEW."resource", NEW."resourceId", NEW."currency", NEW."priceUsdPerHour", NEW."onDemandUsdPerHour", NEW."quantumSec", NEW."refundsUnused")
) EXECUTE FUNCTION refuse_change();

-- Order of the changes of entries.
CREATE SEQUENCE deck_entry_version;

-- Words that decks are found by. A hyphen, a dot or an underscore ends a word, as it does in what people type, so that no compound is a word.
-- What is not ASCII is brought into one form, loses soft hyphens and characters without width, and is cut at punctuation and symbols of
-- Unicode: what the parser takes for a letter depends on the locale of the database.
CREATE FUNCTION deck_words(words text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_tsvector('simple'::regconfig, regexp_replace(
    CASE WHEN octet_length(words) = length(words) THEN words ELSE
      regexp_replace(
        regexp_replace(normalize(words, NFKC), U&'[\00AD\200B-\200D\FEFF]+', '', 'g'),
        U&'[\0080-\00BF\00D7\00F7\2000-\206F\20A0-\20CF\2190-\2BFF\2E00-\2E7F\3000-\3004\3008-\3020\3030\E000-\F8FF\FFF9-\FFFD\+01F000-\+01FAFF]+',
        ' ', 'g')
    END,
    '[!-/:-@[-`{-~]+', ' ', 'g'))
$$;

-- Decks of a tenant that a search finds. By the index always: the planner does not know that reading the words of each deck in turn takes
-- twenty times as long.
CREATE FUNCTION deck_search(tenant text, query tsquery) RETURNS SETOF text LANGUAGE sql STABLE
  SET enable_seqscan = off SET enable_indexscan = off AS $$
  WITH found AS MATERIALIZED (SELECT "deckId", "tenantId" FROM "DeckEntry" WHERE "search" @@ query)
  SELECT "deckId" FROM found WHERE "tenantId" = tenant
$$;

-- Every change of what a deck's entry is made of leaves a row in "DeckChange".
CREATE FUNCTION note_deck_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'Deck' THEN
    INSERT INTO "DeckChange" ("deckId", "tenantId") SELECT DISTINCT "id", "tenantId" FROM changed;
  ELSIF TG_TABLE_NAME = 'Company' THEN
    INSERT INTO "DeckChange" ("deckId", "tenantId")
      SELECT DISTINCT d."id", d."tenantId" FROM "Deck" d JOIN changed c ON d."companyId" = c."id";
  ELSIF TG_TABLE_NAME IN ('Extraction', 'Classification', 'Gap') THEN
    INSERT INTO "DeckChange" ("deckId", "tenantId")
      SELECT DISTINCT a."deckId", a."tenantId" FROM "Analysis" a JOIN changed c ON a."id" = c."analysisId";
  ELSE
    INSERT INTO "DeckChange" ("deckId", "tenantId")
      SELECT DISTINCT d."id", d."tenantId" FROM "Deck" d JOIN changed c ON d."id" = c."deckId";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER deck_added AFTER INSERT ON "Deck"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER deck_changed AFTER UPDATE ON "Deck"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER analysis_added AFTER INSERT ON "Analysis"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER analysis_changed AFTER UPDATE ON "Analysis"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER analysis_removed AFTER DELETE ON "Analysis"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER verdict_added AFTER INSERT ON "HumanVerdict"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER cost_added AFTER INSERT ON "LedgerEntry"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER company_changed AFTER UPDATE ON "Company"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER value_added AFTER INSERT ON "Extraction"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER value_changed AFTER UPDATE ON "Extraction"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER sector_added AFTER INSERT ON "Classification"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER sector_changed AFTER UPDATE ON "Classification"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER gap_added AFTER INSERT ON "Gap"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER gap_changed AFTER UPDATE ON "Gap"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER gap_removed AFTER DELETE ON "Gap"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
