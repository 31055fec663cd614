import { announcesAtEnd, AT, candidatesIn, CONNECTORS, DIGITS, ENTER, ENTERED, hasContent, isLabel, isNameOfOther, isOther, joined, joins, MARKS, masked, OFFER, PURPOSE, SENTENCE_END, sentenceOf, TASK, TASK_OR_CONFIRM, WITH, YEAR, } from "./code-line.js";
import { HtmlText } from "./html.js";
import { cut } from "./links.js";
import { plain, trimmed } from "./words.js";
const CHARACTERS_MAX = 50_000;
const LINE_CHARACTERS_MAX = 1000;
const CANDIDATES_MAX = 500;
const SIX_DIGITS = /^[0-9]{6}$/;
const SCORES_APART_MAX = 25;
const COLON_AT_END = /[:=] ?["'(\[*]*$/;
const LIST = /^(?: ?[,;/|、] ?| ?[^,;.!?~]{1,6} )$/;
const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/;
export function codesOf(subject, textBody, htmlBody) {
    const best = new Map();
    for (const body of [textBody, new HtmlText(cut(htmlBody)).text]) {
        for (const code of codesIn(read(`${subject}\n${body}`))) {
            if (code.score > (best.get(code.value)?.score ?? -1))
                best.set(code.value, code);
        }
    }
    const codes = Array.from(best.values()).sort((a, b) => b.score - a.score);
    return codes.filter((code) => code.score >= codes[0].score - SCORES_APART_MAX);
}
function read(text) {
    const lines = plain(text.slice(0, CHARACTERS_MAX).replace(/[，；：。！？]/g, "$& "))
        .split(LINE_END)
        .map((line) => trimmed(line.slice(0, LINE_CHARACTERS_MAX).replace(/[\0- \u00a0\u1680]+/g, " ")))
        .filter((line) => line !== "");
    let left = CANDIDATES_MAX;
    return joined(lines).map((line) => {
        const { text, folded } = masked(line);
        const marks = MARKS.in(folded);
        const candidates = candidatesIn(text).slice(0, left);
        left -= candidates.length;
        const [first] = candidates;
        const isAlone = candidates.length === 1 && !hasContent(text, 0, first.start) && !hasContent(text, first.end, text.length);
        return { text, folded, marks, candidates, isAlone, announces: marks.some(isLabel) };
    });
}
function codesIn(lines) {
    const codes = [];
    const near = lines.map(nearnessesIn);
    const hasLabel = lines.some((line) => line.marks.some(isLabel));
    const numbers = new Set();
    for (const line of hasLabel ? [] : lines) {
        for (const candidate of line.candidates) {
            if (SIX_DIGITS.test(candidate.value) && !isOther(line, candidate))
                numbers.add(candidate.value);
        }
    }
    for (const [index, line] of lines.entries()) {
        for (const [i, candidate] of line.candidates.entries()) {
            if (isOther(line, candidate))
                continue;
            const direct = near[index][i];
            const isOnly = numbers.size === 1 && numbers.has(candidate.value);
            const further = hasLabel ? around : isOnly ? unlabelled : undefined;
            const nearness = direct ?? entered(line, candidate) ?? further?.(lines, index, candidate);
            if (!nearness || isOffered(lines, index, candidate, direct !== undefined))
                continue;
            const { value, shape, what } = candidate;
            const score = nearness.score + shape + (line.isAlone ? 10 : 0);
            codes.push({ value, score, why: `${nearness.why}; ${what}${line.isAlone ? "; alone on its line" : ""}` });
        }
    }
    return codes;
}
function nearnessesIn(line) {
    const near = line.candidates.map(() => undefined);
    let left = false;
    for (const [i, mark] of line.marks.entries()) {
        if (!isLabel(mark))
            continue;
        const claims = claimsOf(line, mark, line.marks[i + 1], line.marks[i - 1]);
        if (claims.length === 0)
            left = true;
        for (const [index, nearness] of claims) {
            if (nearness.score > (near[index]?.score ?? -1))
                near[index] = nearness;
        }
    }
    line.announces = left;
    return near;
}
function claimsOf(line, mark, nextMark, previous) {
    const { folded, candidates } = line;
    const word = `"${folded.slice(mark.start, mark.end)}"`;
    const isSecret = mark.kind === "secret";
    const limit = nextMark && isLabel(nextMark) ? nextMark.start : folded.length;
    const all = Array.from(candidates.keys());
    let after = all.filter((i) => {
        const { start, end } = candidates[i];
        return start >= mark.end && end <= limit && isFree(line, candidates[i]);
    });
    const [next] = after;
    if (next !== undefined && joins(line, mark.end, candidates[next].start) && isAnnounced(line, mark, candidates[next])) {
        return listFrom(line, next, { score: isSecret ? 45 : 50, why: `${word} before it` });
    }
    const before = all.findLast((i) => {
        const { start, end, isDoubtful } = candidates[i];
        return end <= mark.start && (!isDoubtful || start === 0) && isFree(line, candidates[i]);
    });
    const gapBefore = before === undefined ? "" : folded.slice(candidates[before].end, mark.start);
    const isSentenceBefore = !SENTENCE_END.test(gapBefore);
    if (before !== undefined && isSentenceBefore && gapBefore.length <= 60 && beginsWithConnector(gapBefore)) {
        const isTaken = previous && isLabel(previous) && previous.start >= candidates[before].end;
        if (!isTaken)
            return [[before, { score: isSecret ? 43 : 48, why: `${word} after it` }]];
    }
    if (isSecret)
        return [];
    after = after.filter((i) => !candidates[i].isDoubtful);
    for (const i of after) {
        const gap = folded.slice(mark.end, candidates[i].start);
        if (gap.length <= 100 && !SENTENCE_END.test(gap) && endsWithConnector(gap)) {
            return listFrom(line, i, { score: 44, why: `${word} before it` });
        }
    }
    const [first] = after;
    const gap = first === undefined ? "" : folded.slice(mark.end, candidates[first].start);
    if (first !== undefined && gap.length <= 60 && !SENTENCE_END.test(gap)) {
        return listFrom(line, first, { score: gap.length <= 30 ? 40 : 34, why: `${word} before it` });
    }
    if (before !== undefined && isSentenceBefore && !candidates[before].isDoubtful && gapBefore.length <= 40) {
        return [[before, { score: 38, why: `${word} after it` }]];
    }
    if (first !== undefined && gap.length <= 60) {
        return listFrom(line, first, { score: 28, why: `${word} in the sentence before it` });
    }
    return [];
}
function listFrom({ folded, candidates }, first, nearness) {
    const list = [[first, nearness]];
    for (let i = first + 1; i < candidates.length; i++) {
        const gap = folded.slice(candidates[i - 1].end, candidates[i].start);
        if (!LIST.test(gap) || candidates[i].isDoubtful || MARKS.has(gap))
            break;
        list.push([i, nearness]);
    }
    return list;
}
function isFree(line, candidate) {
    return !isOther(line, candidate) || YEAR.test(candidate.value);
}
function isAnnounced(line, mark, candidate) {
    if (!candidate.isDoubtful)
        return true;
    const gap = line.folded.slice(mark.end, candidate.start);
    if (gap.includes(":"))
        return true;
    const rest = line.text.slice(candidate.end);
    if (!/[a-z\u0370-\uffff]/.test(line.text.slice(0, candidate.start)))
        return false;
    const closes = /[\p{L}"'「\[(*]/u.test(gap) && /^["'」\])*]*(?:[.,!。]|$| ?です| ?입니다)/.test(rest);
    return closes || callOf(line, candidate, mark.start) !== undefined;
}
function entered(line, candidate) {
    if (!DIGITS.test(candidate.value))
        return undefined;
    const { folded } = line;
    const [start, end] = sentenceOf(line, candidate);
    const nearness = { score: 42, why: "a word to enter it next to it" };
    const word = ENTERED.at(folded, followingOf(line, candidate, end));
    if (word)
        return word.kind === "entered" || PURPOSE.has(folded.slice(start, end)) ? nearness : undefined;
    const call = callOf(line, candidate, candidate.start);
    if (!call || folded.slice(call.end, candidate.start).includes(":"))
        return undefined;
    return joins(line, call.end, candidate.start) ? nearness : undefined;
}
function callOf(line, candidate, limit) {
    const { folded } = line;
    const [start, end] = sentenceOf(line, candidate);
    const call = ENTER.in(folded.slice(start, Math.max(start, limit))).at(-1);
    if (!call)
        return undefined;
    const following = followingOf(line, candidate, end);
    let isAimed = AT.at(folded, following) !== undefined;
    let isLast = following === end || ",;".includes(folded[following]);
    if (call.kind === "use") {
        const hasPurpose = PURPOSE.has(folded.slice(start, candidate.start));
        isAimed &&= hasPurpose || PURPOSE.has(folded.slice(following, end));
        isLast &&= hasPurpose;
    }
    return isAimed || isLast ? { end: start + call.end } : undefined;
}
function followingOf(line, candidate, end) {
    let next = candidate.end;
    while (next < end && !hasContent(line.text, next, next + 1) && !",;".includes(line.folded[next]))
        next++;
    return next;
}
function isOffered(lines, index, candidate, isNear) {
    let line = lines[index];
    if (isOffer(line.folded.slice(...sentenceOf(line, candidate)), candidate))
        return true;
    const above = isNear ? undefined : lines.slice(Math.max(0, index - 3), index).findLast((other) => other.announces);
    if (above) {
        if (isOffer(above.folded, candidate))
            return true;
        line = above;
    }
    if (!candidate.isOfAShop || PURPOSE.has(line.folded))
        return false;
    return [lines[0], ...lines.slice(Math.max(0, index - 1), index + 2)].some((other) => OFFER.has(other.folded));
}
function isOffer(folded, candidate) {
    return OFFER.has(folded) && (candidate.isOfAShop || !PURPOSE.has(folded));
}
function unlabelled(lines, index, candidate) {
    const line = lines[index];
    if (isMeant(line, candidate))
        return { score: 30, why: "a purpose next to it" };
    const above = line.isAlone ? lines[index - 1] : undefined;
    return above?.marks.length === 0 && (ENTER.has(above.folded) || TASK.has(above.folded))
        ? { score: 30, why: "a purpose in the line before it" }
        : undefined;
}
function isMeant(line, candidate) {
    const { folded } = line;
    const [start, end] = sentenceOf(line, candidate);
    const before = folded.slice(start, candidate.start);
    const following = followingOf(line, candidate, end);
    const after = folded.slice(following, end);
    const isLast = following === end || ",;".includes(folded[following]);
    if (COLON_AT_END.test(before)) {
        const isNamed = line.marks.some((mark) => mark.end <= candidate.start);
        return isLast && !isNamed && (TASK.has(before) || ENTER.has(before));
    }
    const isAimed = AT.at(folded, following) !== undefined;
    if (!hasContent(line.text, start, candidate.start))
        return isAimed && TASK_OR_CONFIRM.has(after);
    const word = WITH.in(before).at(-1);
    if (!word || !joins(line, start + word.end, candidate.start))
        return false;
    const isClosed = isLast || isAimed || TASK_OR_CONFIRM.at(folded, following) !== undefined;
    return isClosed && (TASK_OR_CONFIRM.has(before) || TASK_OR_CONFIRM.has(after));
}
function around(lines, index, candidate) {
    const line = lines[index];
    const previous = lines[index - 1];
    if (!line.isAlone) {
        const isFirst = !hasContent(line.text, 0, candidate.start) && !candidate.isDoubtful;
        const isCalled = isFirst && previous?.announces && previous.text.endsWith(":");
        return isCalled ? { score: 35, why: "a label in the line before it" } : undefined;
    }
    if (candidate.isDoubtful) {
        return previous?.announces && (announcesAtEnd(previous) || ENTER.has(previous.folded))
            ? { score: 45, why: "a label in the line before it" }
            : undefined;
    }
    let distance = 0;
    for (let i = index - 1; i >= 0 && distance < 4; i--) {
        const other = lines[i];
        if (other.isAlone && !other.marks.some(isLabel))
            continue;
        distance++;
        const last = other.marks.at(-1);
        if (distance === 1 && last?.kind === "other" && isNameOfOther(other, last))
            return undefined;
        if (!other.announces)
            continue;
        const isCall = distance < 4 && other.text.endsWith(":");
        return { score: isCall ? 45 : 50 - 5 * distance, why: "a label in a line before it" };
    }
    for (let i = index + 1; i <= Math.min(lines.length - 1, index + 2); i++) {
        if (lines[i].announces)
            return { score: 35 - 5 * (i - index), why: "a label in a line after it" };
    }
    return { score: 10, why: "a label elsewhere" };
}
function beginsWithConnector(gap) {
    const start = gap.search(/[\p{L}\p{M}]|[,;.!?~。、]|[-=:] /u);
    return start >= 0 && ("-=:".includes(gap[start]) || CONNECTORS.at(gap, start) !== undefined);
}
function endsWithConnector(gap) {
    const words = CONNECTORS.in(gap);
    const last = words.at(-1);
    return COLON_AT_END.test(gap) || (last !== undefined && !/[\p{L}\p{M}~,;]/u.test(gap.slice(last.end)));
}
