// Words for the same thing. See synonyms.h.
#include "dialects/reading/synonyms.h"

#include <span>
#include <string>

#include "text/names.h"

namespace espalier::dialects {
namespace {

// Each line has words for one thing, in lower case and without separators. A word may be in several lines.

constexpr std::string_view kAttributeWords[] = {
    // Times.
    " duration time timeout seconds secs sec s delay wait waittime interval period length lasts timer lifetime ttl "
    "timelimit maxtime expires cooldown cooldowntime howlong ",
    " variation deviation variance jitter randomtime plusminus spread ",
    " every interval period frequency rate cadence pollinterval each ",
    // What a thing is called. `id` and `name` are the two ways to say it.
    " name id key label title identifier named called ref ",
    " name action behavior behaviour task function call method leaf ",
    " name condition check function test predicate query ",
    " name event signal message trigger ",
    " name variable var flag ",
    " name state ",
    " name timestamp ",
    " name timer ",
    " name stimulus ",
    " name barrier sync syncpoint point ",
    " name decider reference ref target group ",
    " name block target ",
    " name scope ",
    // Conditions.
    " condition cond if when test expression expr guard precondition requires predicate check on enabled unless while ",
    " decide condition cond if when test guard precondition requires predicate check function utility score "
    "evaluate evaluator score value callback ",
    " equalto equals is value expected ",
    // Counts.
    " agents max maximum limit count users num number capacity slots size members maxagents maxusers concurrent "
    "concurrency allowed most ",
    " allowedconcurrentusers max maximum limit count users agents capacity slots maxusers concurrentusers ",
    " max maximum limit count users agents capacity slots maxusers maxconcurrentusers concurrentusers "
    "allowedconcurrentusers most ",
    " count times repeat repeats repetitions iterations loops cycles numcycles n num number max maximum limit ",
    " attemptcount attempts tries retries numattempts maxattempts maxtries count times max limit ",
    " maxdepth depth levels maxlevels nesting ",
    " maxredecides redecides maxretries retries limit ",
    " memory bytes size mem memorysize ",
    " block bytes size blocksize datasize data ",
    " budget bytes size memory maxbytes ",
    // Chances.
    " openswithchance chance probability prob odds likelihood percent percentage p weight ratio ",
    " weight chance probability prob priority odds likelihood share p ",
    // Values.
    " value set val to assign expression expr newvalue condition ",
    " default initial initialvalue init start startvalue value initially ",
    " default tree id fallback subtree name root defaulttree ",
    " slot name id tree key ",
    " accepts allows allowed trees allowedtrees ",
    " message text msg log string output ",
    " result returns return status gives outcome ",
    " code script lua source chunk body function command exec luacode ",
    " onenter enter entry onentry begin onbegin start onstart ",
    " onexit exit leave onleave end onend finish onfinish ",
    " onleave leave onexit exit left ",
    " filter receivers receiver recipients target to audience ",
    " since timestamp name from timer of ",
    " ismorethan morethan greaterthan above over longerthan min minimum atleast more after ",
    " islessthan lessthan below under shorterthan maximum atmost less within ",
    " setonevent event onevent set trigger on setby ",
    " exclusiveto exclusive clears excludes ",
    " orneverbeenset ornever neverset ",
    // References.
    " variable var set target flag variablename sets ",
    " stimulus stimuli sets target stim variable ",
    " node leaf from source name path key id ",
    " target behavior behaviour to action destination value result translation map maps ",
    " state to target next goto destination into newstate targetstate ",
    " to state target next goto destination into newstate targetstate ",
    " onevent event signal trigger when on name ",
    " behavior behaviour action task run execute name leaf activity ",
    " behaviorflags behaviourflags flags options ",
    " type kind class ",
    " policy type mode kind strategy selection choose order ",
    " delegate delegates passthrough ",
    " flagsall flags allflags requiredflags requires requireflags decisionflags ",
    " flagsany anyflags ",
    " stimuliall stimuli allstimuli requiredstimuli stimulus ",
    " stimuliany anystimuli ",
    " success successmode successpolicy succeedon ",
    " failure failuremode failurepolicy failon fail ",
    " successmode success successpolicy succeedon ",
    " failuremode failure failurepolicy failon fail ",
    " untilfailure untilfail untilfails stoponfailure ",
    " starts start from begins startat ",
    " scope shared for per level ",
    " each every ",
    " loop repeat repeats forever looped looping cycle restart ",
    " donotfail neverfail neverfails ignorefailure succeed forcesuccess alwayssucceed suppressfailure nofail dontfail ",
    " startlog onstartlog logstart log ",
    " successlog onsuccesslog logsuccess ",
    " failurelog faillog onfailurelog logfailure ",
    " path file src href filename source ",
    // BehaviorTree.CPP, and its version 3.
    " numcycles count times repeat repeats repetitions iterations cycles n max ",
    " numattempts attempts tries retries count times max maxattempts ",
    " msec ms milliseconds delay timeout duration time wait ",
    " delaymsec delay ms msec milliseconds duration time wait ",
    " successcount successthreshold threshold success ",
    " failurecount failurethreshold failure ",
    " maxfailures failures threshold limit max ",
    " outputkey key output entry target to ",
    " key entry name variable ",
    " code script expression ",
    " variable switch key value entry ",
    " id tree name subtree treename treeid key ",
};

constexpr std::string_view kElementWords[] = {
    // Nodes.
    " priority selector select fallback choice choose prioritylist prioritizedlist prioritisedlist first or ",
    " selector fallback select choice choose or any firstsuccess ",
    " choice selector fallback select priority choose or if switch any prioritylist prioritizedlist ",
    " sequence seq and steps all serial list chain sequential then order sequencenode ",
    " parallel concurrent simultaneous together parallelall both ",
    " statemachine fsm hsm machine states hfsm ",
    " leaf action behavior behaviour task do node activity ",
    " action task behavior behaviour do leaf activity execute call run perform command ",
    " condition cond check test if precondition guard predicate when query question requires ",
    " assertcondition condition check test cond ",
    " ifcondition if guard when conditiongate precondition conditional ",
    " monitorcondition waitforcondition waituntil waitcondition waituntilcondition ",
    " conditionmode mode querymode conditions combine ",
    " parameter param params parameters arg argument property attribute value option ",
    " subtree tree include ref reference file import behaviortree ",
    " childtree subtree tree reference ref include slot tree child ",
    " success succeed succeeder succeeds alwayssucceed alwayssuccess alwayssucceeds true ok done pass ",
    " failure fail fails failer alwaysfail alwaysfailure false error ",
    " running run wait alwaysrunning idle forever busy halt ",
    " yield pause skip nextframe nexttick nextupdate waitframe ",
    " succeed succeeder alwayssucceed forcesuccess suppressfailure ignorefailure success neverfail alwayssuccess ",
    " fail failer alwaysfail forcefailure failure alwaysfailure ",
    " suppressfailure succeed succeeder alwayssucceed alwayssuccess forcesuccess ignorefailure neverfail success ",
    " invert inverter not negate inversion negation ",
    " loop repeat repeater while repeatforever forever until cycle ",
    " repeat loop repeater while repeatforever forever until cycle ",
    " loopuntilsuccess retry repeatuntilsuccess retryuntilsuccessful untilsuccess untilsucceeds ",
    " retryuntilsuccessful retry repeatuntilsuccess loopuntilsuccess untilsuccess ",
    " gate limit semaphore limiter limitconcurrentusers mutex lock ticket tickets ",
    " limitconcurrentusers gate limit semaphore limiter mutex lock concurrencylimit ",
    " groupscope scope group shared ",
    " cooldown cooldowntimer timelimit ratelimit delay throttle ",
    " monitor watch observer observe guard reactive abort reactivesequence ",
    " barrier sync synchronize synchronise rendezvous meet waitforall join ",
    " role member slot part position ",
    " group squad team roles ",
    " randomgate chance random probability randomchance ",
    " wait delay sleep pause idle timer ",
    " timeout timelimit deadline failafter ",
    " waitforevent waitforsignal waitevent onevent waitsignal listen ",
    " sendevent event raise emit trigger fire raiseevent broadcast post ",
    " signal sendsignal ",
    " log print message debug trace debuglog ",
    " executelua lua script executescript runlua luascript runscript exec ",
    " assertlua luacondition checklua luatest luaassert ",
    " luagate luaguard iflua ",
    " luawrapper luascope ",
    " halt hang forever idle stop ",
    // Parts.
    " case branch option child choice alternative ",
    " state step stage mode ",
    " transition jump goto edge link arc change ",
    " transitions jumps exits edges links ",
    " variable var bool flag boolean fact key property ",
    " variables vars flags blackboard state facts bools booleans properties ",
    " signal event onsignal onevent trigger signalvariable assignment set message ",
    " signalvariables signals events signalvariable triggers eventvariables signalmap signalmapping ",
    " leaftranslations translations leaftranslation translation maps mapping mappings leafmap leaves behaviors ",
    " map translation leaf translate mapping entry leaftranslation ",
    " ref reference include use blockref import ",
    " block template macro snippet part fragment ",
    " blocks templates macros snippets library fragments ",
    " timestamps timers times clocks ",
    " timestamp timer time clock ",
    " event signal message gameevent ",
    " events signals ",
    " root tree main rootnode start body ",
    " flag decisionflag variable bool fact ",
    " decisionflags flags variables facts ",
    " stimulus sense perception stim percept input sensor ",
    " stimuli stimulus senses perceptions stimulis percepts inputs sensors ",
    " signalstimuli signals signalstimulus events stimulisignals ",
    " behavior behaviour action task leaf activity ",
    " behaviors behaviours actions tasks behaviorlist activities leaves ",
    " deciders shared shareddeciders library decisions templates ",
    " decider choice option decision child leaf node action behavior behaviour task ",
    " group composite selector list node deciders choose choice prioritizedlist priority branch ",
    " deciderref ref reference use subtree groupref shared include ",
    // BehaviorTree.CPP.
    " fallback selector priority select choice or firstsuccess ",
    " sequence seq and steps all serial list chain sequential ",
    " inverter invert not negate negation ",
    " forcesuccess succeeder succeed alwayssucceed suppressfailure ignorefailure ",
    " forcefailure failer fail alwaysfail ",
    " alwayssuccess success succeed ",
    " alwaysfailure failure fail ",
    " setblackboard setvariable set assign write ",
    " reactivesequence monitor reactive activesequence sequenceactive dynamicsequence ",
    " reactivefallback activeselector reactiveselector dynamicselector ",
    " ifthenelse if conditional branch ifelse ",
    " whiledoelse while ",
    " sleep wait delay pause ",
    " delay sleep wait timer ",
    " keeprunninguntilfailure repeatuntilfailure untilfailure untilfail whilesuccess loopuntilfailure ",
};

constexpr std::string_view kValueWords[] = {
    " true yes on 1 y enabled always ",
    " false no off 0 n disabled never ",
    " all every each both and 100 allsuccess requireall ",
    " any one some first either or 1 single anyone requireone ",
    " prioritizedlist priority prioritised prioritized prioritisedlist prioritylist selector first list fallback "
    "ordered ",
    " sequential sequence roundrobin inorder cycle next serial ",
    " random weighted weightedrandom randomweighted chance probability ",
    " shuffle shuffled randomorder permutation ",
    " scored score utility highest best max maximum highestscore bestscore ",
    " agent self own local private each per peragent ",
    " global shared all tree everyone world common ",
    " end exit finish finished done completed leave after ",
    " entry enter start begin entered before ",
    " fail failure abort cancel failed ",
    " reset restart again retry ",
    " ignore continue nothing none keep skip ",
    " update tick frame ",
    " success succeed succeeded ok done true ",
    " failure fail failed false error ",
    " alltrue and all every both ",
    " anytrue or any one some either ",
    " anyfalse nand notall ",
    " allfalse nor none not no neither noneof ",
    " sender self me own ",
    " group all everyone team squad ",
    " groupexcludingsender others rest groupexcludingself groupwithoutsender ",
};

std::string plain_word(std::string_view word) {
  std::string plain = text::lower_case(word);
  std::erase_if(plain, [](char c) { return c == '_' || c == '-' || c == ' '; });
  return plain;
}

bool has_word(std::string_view line, const std::string& word) {
  return !word.empty() && line.find(' ' + word + ' ') != std::string_view::npos;
}

std::string_view synonym_in(std::span<const std::string_view> lines, std::string_view word,
                            const std::vector<std::string_view>& candidates) {
  const std::string plain = plain_word(text::local_name(word));
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const std::string other = plain_word(candidate);
    bool is_same = other == plain;
    for (const std::string_view line : lines) is_same = is_same || (has_word(line, plain) && has_word(line, other));
    if (!is_same || text::equal_any_case(found, candidate)) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

}  // namespace

std::string_view synonym_of_attribute(std::string_view attribute, const std::vector<std::string_view>& candidates) {
  return synonym_in(kAttributeWords, attribute, candidates);
}

std::string_view synonym_of_element(std::string_view element, const std::vector<std::string_view>& candidates) {
  return synonym_in(kElementWords, element, candidates);
}

std::string_view synonym_of_value(std::string_view value, const std::vector<std::string_view>& candidates) {
  if (const std::string_view found = synonym_in(kValueWords, value, candidates); !found.empty()) return found;
  constexpr std::size_t kLeastLetters = 4;
  const std::string plain = plain_word(value);
  std::string_view contained;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() < kLeastLetters || plain.find(plain_word(candidate)) == std::string::npos) continue;
    if (!contained.empty()) return {};
    contained = candidate;
  }
  return contained;
}

}  // namespace espalier::dialects
